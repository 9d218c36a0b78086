import {
  authorizationFields,
  FUNDING_PERIOD_SECONDS,
  type JobDetail,
  type SignedAuthorization,
  type TransferAuthorization,
} from '@agent-marketplace/contract'
import { isSameAddress } from '../addresses.ts'
import type { Core } from '../core.ts'
import { MarketplaceError } from '../errors.ts'
import { readConfig } from '../transport/readConfig.ts'
import { accountOf } from './accountOf.ts'
import { checkPayment, refusePayment } from './checkPayment.ts'
import { isSandbox } from './isSandbox.ts'
import { signTypedData } from './signTypedData.ts'

const CLOCK_SKEW_SECONDS = 15 * 60

/** What POST /api/jobs/{id}/pay takes for an escrow job. The nonce is the job's own, so signing again pays nothing twice. */
export async function signEscrowDeposit(
  core: Core,
  { paymentInfo }: Pick<JobDetail, 'paymentInfo'>,
  amountMicro: bigint,
): Promise<SignedAuthorization> {
  const account = accountOf(core)
  const config = await readConfig(core)
  const { chain, contracts, usdc } = config
  const typedData = paymentInfo?.typedData
  const isKnownKind =
    typedData?.primaryType === 'ReceiveWithAuthorization' &&
    JSON.stringify(typedData.types.ReceiveWithAuthorization) === JSON.stringify(authorizationFields)
  if (!isKnownKind) {
    throw new MarketplaceError('UNEXPECTED_PAYMENT', {
      message: 'The service hands out no EIP-3009 authorization to sign for this job.',
    })
  }
  const authorization = readAuthorization(typedData.message)
  const { chainId, verifyingContract: token, ...domain } = typedData.domain
  if (!isSameAddress(authorization.from, account.address))
    refusePayment(['from'], { from: authorization.from })
  const latest = core.clock.nowMs() / 1000 + FUNDING_PERIOD_SECONDS + CLOCK_SKEW_SECONDS
  const endsInTime = isSandbox(config) || Number(authorization.validBefore) <= latest
  checkPayment(
    {
      amountMicro: BigInt(authorization.value),
      payTo: authorization.to,
      token,
      chainId,
      domain,
      endsInTime,
    },
    { amountMicro, payTo: contracts.escrow },
    { token: contracts.usdc, chainId: chain.id, domain: usdc },
  )
  const signature = await signTypedData(core, account, 'escrowDeposit', typedData)
  return { authorization, signature }
}

function readAuthorization(message: Record<string, unknown>): TransferAuthorization {
  const text = (name: keyof TransferAuthorization) => String(message[name])
  return {
    from: text('from'),
    to: text('to'),
    value: text('value'),
    validAfter: text('validAfter'),
    validBefore: text('validBefore'),
    nonce: text('nonce'),
  }
}
