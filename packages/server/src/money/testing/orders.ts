import { buildTransferAuthorization } from '@agent-marketplace/chain'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Hex, JobTerms } from '../../ports/chain/port.ts'
import type { NewIntent } from '../intents/intents.ts'
import type { ChaosChain } from './chaos-chain.ts'
import { authorizationOf } from './test-kinds.ts'

const FAR_FUTURE = '4000000000'

/** A signed deposit as an intent, and the job's key. */
export async function orderDeposit(
  { chain }: ChaosChain,
  {
    jobId,
    client,
    seller,
    agentWallet,
    amountMicro,
  }: { jobId: string; client: PrivateKeyAccount; seller: Hex; agentWallet: Hex; amountMicro: bigint },
): Promise<{ key: Hex; intent: NewIntent }> {
  const terms: JobTerms = {
    jobRef: chain.escrow.refOf(jobId),
    client: client.address,
    seller,
    agentWallet,
    amountMicro,
    deadline: 0,
  }
  const typedData = chain.escrow.fundingTypedData({ terms, validAfter: 0n, validBefore: BigInt(FAR_FUTURE) })
  const { EIP712Domain: _domain, ...types } = typedData.types
  const signature = await client.signTypedData({ ...typedData, types })
  const key = chain.escrow.keyOf(terms)
  return {
    key,
    intent: {
      kind: 'test.deposit',
      key: `deposit:${jobId}`,
      lane: key,
      requestId: `request-${jobId}`,
      payload: {
        jobId,
        client: client.address,
        seller,
        agentWallet,
        amount: amountMicro.toString(),
        validBefore: FAR_FUTURE,
        signature,
      },
    },
  }
}

export function orderAction(key: Hex, action: string): NewIntent {
  return {
    kind: 'test.action',
    key: `${action}:${key}`,
    lane: key,
    requestId: null,
    payload: { action, key },
  }
}

/** The arbiter's decision. It shares the job's lane, so that it waits for the dispute that it decides. */
export function orderRuling(key: Hex): NewIntent {
  const sellerBps = Number(BigInt(key) % 10_001n)
  return { kind: 'test.ruling', key: `rule:${key}`, lane: key, requestId: null, payload: { key, sellerBps } }
}

/** A signed transfer as an intent; the number makes its authorization's nonce. */
export async function orderTransfer(
  { chain }: ChaosChain,
  {
    kind,
    from,
    to,
    amountMicro,
    number,
  }: {
    kind: 'test.withdrawal' | 'test.pull'
    from: PrivateKeyAccount
    to: Hex
    amountMicro: bigint
    number: number
  },
): Promise<NewIntent> {
  const { facts } = chain
  const payload = {
    from: from.address,
    to,
    value: amountMicro.toString(),
    validBefore: FAR_FUTURE,
    nonce: `0x${number.toString(16).padStart(64, '0')}` as Hex,
  }
  const signature = await from.signTypedData(
    buildTransferAuthorization({
      token: {
        address: chain.checksumAddress(facts.contracts.usdc),
        name: facts.usdc.name,
        version: facts.usdc.version,
        chainId: facts.chainId,
      },
      authorization: authorizationOf(payload),
    }),
  )
  return {
    kind,
    key: `${kind}:${from.address}:${number}`,
    requestId: `request-${kind}-${number}`,
    payload: { ...payload, signature },
  }
}
