import { randomBytes } from 'node:crypto'
import { buildTransferAuthorization } from '@agent-marketplace/chain'
import { formatMicro } from '@agent-marketplace/contract'
import { encodePaymentSignatureHeader } from '@x402/core/http'
import { type Clock, wallClock } from '../platform/clock/clock.ts'
import type { ChainPort, JsonTypedData } from '../ports/chain/port.ts'
import type { Actor, Wallet } from './actor.ts'

/** As long as an offer of the service stands. */
const VALID_SECONDS = 300

/**
 * The header that pays an agent by x402 in the call that hires it. The stock client would sign for the real time, and
 * the demo plays in the past, where that signature is not valid yet: so the authorization is built here.
 */
export async function x402Header(
  { chain, clock }: { chain: Pick<ChainPort, 'facts' | 'checksumAddress'>; clock: Clock },
  payer: Wallet,
  { payTo, amountMicro }: { payTo: string; amountMicro: bigint },
): Promise<Record<string, string>> {
  const { chainId, contracts, usdc } = chain.facts
  // The payment is judged by the chain's clock and by the real one, which may be the whole span ahead of it.
  const latestMs = Math.max(clock.now().getTime(), wallClock.now().getTime())
  const authorization = {
    from: payer.address,
    to: chain.checksumAddress(payTo),
    value: amountMicro,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(latestMs / 1000) + VALID_SECONDS),
    nonce: `0x${randomBytes(32).toString('hex')}` as const,
  }
  const token = {
    address: chain.checksumAddress(contracts.usdc),
    name: usdc.name,
    version: usdc.version,
    chainId,
  }
  const signature = await payer.signTypedData(buildTransferAuthorization({ token, authorization }))
  const asText = Object.fromEntries(
    Object.entries(authorization).map(([name, value]) => [name, String(value)]),
  )
  const accepted = {
    scheme: 'exact',
    network: `eip155:${chainId}` as const,
    amount: formatMicro(amountMicro),
    asset: token.address,
    payTo: authorization.to,
    maxTimeoutSeconds: VALID_SECONDS,
    extra: { name: usdc.name, version: usdc.version },
  }
  const payload = { x402Version: 2, accepted, payload: { signature, authorization: asText } }
  return { 'payment-signature': encodePaymentSignatureHeader(payload) }
}

/** Funds an escrow job with the one signature that the service asked for. */
export async function fundEscrow(client: Actor, jobId: string, typedData: JsonTypedData): Promise<void> {
  const signature = await client.wallet.signTypedData(typedData)
  await client.post(`/api/jobs/${jobId}/pay`, { authorization: typedData.message, signature })
}
