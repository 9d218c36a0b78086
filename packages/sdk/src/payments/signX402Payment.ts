import { authorizationFields } from '@agent-marketplace/contract'
import { bytesToHex } from 'viem'
import { asAddress } from '../addresses.ts'
import { encodeBase64Json } from '../base64.ts'
import type { Core } from '../core.ts'
import { MarketplaceError } from '../errors.ts'
import type { Signer } from '../signer.ts'
import { readConfig } from '../transport/readConfig.ts'
import { type Agreed, checkPayment } from './checkPayment.ts'
import { isSandbox } from './isSandbox.ts'
import { signTypedData } from './signTypedData.ts'
import { readChallenge, type X402Offer } from './x402Challenge.ts'

const LONGEST_WAIT_SECONDS = 3600

/** Signs an x402 challenge and returns the PAYMENT-SIGNATURE header, as any x402 version 2 client would. */
export async function signX402Payment(
  core: Core,
  account: Signer,
  header: string | null,
  agreed: Agreed,
): Promise<string> {
  const config = await readConfig(core)
  const { chain, usdc } = config
  const { resource, extensions, accepts } = readChallenge(header)
  const network = `eip155:${chain.id}`
  const offer = accepts.find((candidate) => candidate.network === network)
  if (!offer) {
    throw new MarketplaceError('UNEXPECTED_PAYMENT', {
      message: `The payment that is requested is not on ${network}.`,
    })
  }
  checkPayment(
    {
      amountMicro: BigInt(offer.amount),
      payTo: offer.payTo,
      token: offer.asset,
      chainId: chain.id,
      domain: offer.extra,
      endsInTime: isSandbox(config) || offer.maxTimeoutSeconds <= LONGEST_WAIT_SECONDS,
    },
    agreed,
    { token: usdc.address, chainId: chain.id, domain: usdc },
  )
  const payload = await authorize(core, account, offer, chain.id)
  return encodeBase64Json({
    x402Version: 2,
    payload,
    ...(extensions === undefined ? {} : { extensions }),
    resource,
    accepted: offer,
  })
}

async function authorize(core: Core, account: Signer, offer: X402Offer, chainId: number) {
  const nowSeconds = Math.floor(core.clock.nowMs() / 1000)
  const authorization = {
    from: account.address,
    to: asAddress(offer.payTo),
    value: offer.amount,
    validAfter: '0',
    validBefore: String(nowSeconds + offer.maxTimeoutSeconds),
    nonce: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
  }
  const { name, version } = offer.extra
  const signature = await signTypedData(core, account, 'x402Payment', {
    domain: { name, version, chainId, verifyingContract: offer.asset },
    types: { TransferWithAuthorization: [...authorizationFields] },
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  })
  return { authorization, signature }
}
