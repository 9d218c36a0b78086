import { randomBytes } from 'node:crypto'
import { authorizationFields, splitPrice } from '@agent-marketplace/contract'
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import { type SignableData, signableOf } from '../client.ts'
import type { Reply } from '../reply.ts'
import type { SteadyClient } from './steady-client.ts'

/** Many times what a payment takes, also while the service is started again and again. */
const PAID_LIMIT_MS = 180_000

export interface Cast {
  buyer: SteadyClient
  seller: SteadyClient
  agentId: string
  chainId: number
  usdc: { name: string; version: string; address: string }
  /** The chain's time in seconds; a payment is signed until some time after it. */
  now: () => number
}

export interface Told {
  jobId: string
  priceMicro: bigint
  feeMicro: bigint
  netMicro: bigint
}

/** One job from hire to completion, on the rail that its price chooses. Every step is repeated until it is acknowledged. */
export async function tellStory(cast: Cast, priceMicro: bigint): Promise<Told> {
  const { jobId, paymentMethod } = await tellUntilDelivered(cast, priceMicro)
  if (paymentMethod === 'ESCROW') await expectDone(cast.buyer.post(`/api/jobs/${jobId}/approve`, {}))
  return { jobId, priceMicro, ...splitPrice(priceMicro, paymentMethod) }
}

/** A job that is hired, paid and delivered. In escrow it is then the buyer's to review. */
export async function tellUntilDelivered(cast: Cast, priceMicro: bigint) {
  const { buyer, seller } = cast
  const hired = await expectDone(
    buyer.post('/api/jobs', {
      agentId: cast.agentId,
      title: 'A job that must not be lost',
      description: 'Nor be paid twice.',
      agreedPrice: String(priceMicro),
    }),
  )
  const { jobId, paymentMethod, paymentInfo } = hired.body.data
  if (paymentMethod === 'ESCROW') await payEscrow(buyer, jobId, signableOf(paymentInfo.typedData))
  else await payX402(cast, jobId)
  await expectDone(seller.post(`/api/jobs/${jobId}/deliver`, { content: `Work for ${jobId}` }))
  return { jobId, paymentMethod }
}

async function payEscrow(buyer: SteadyClient, jobId: string, typedData: SignableData): Promise<void> {
  const signature = await buyer.wallet.signTypedData(typedData)
  const payment = { authorization: typedData.message, signature }
  await untilPaid(buyer, jobId, () => buyer.post(`/api/jobs/${jobId}/pay`, payment))
}

async function payX402(cast: Cast, jobId: string): Promise<void> {
  const { buyer, usdc, chainId } = cast
  const challenge = await buyer.post(`/api/jobs/${jobId}/pay`, {})
  const offer = decodePaymentRequiredHeader(challenge.headers.get('payment-required') ?? '').accepts[0]
  if (!offer) throw new Error('the challenge offers nothing')
  const message = {
    from: buyer.wallet.address,
    to: offer.payTo as `0x${string}`,
    value: BigInt(offer.amount),
    validAfter: 0n,
    validBefore: BigInt(cast.now() + offer.maxTimeoutSeconds),
    nonce: `0x${randomBytes(32).toString('hex')}` as const,
  }
  const signature = await buyer.wallet.signTypedData({
    domain: {
      name: usdc.name,
      version: usdc.version,
      chainId,
      verifyingContract: usdc.address as `0x${string}`,
    },
    primaryType: 'TransferWithAuthorization',
    types: { TransferWithAuthorization: authorizationFields },
    message,
  })
  const authorization = Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name, String(value)]),
  )
  const header = encodePaymentSignatureHeader({
    x402Version: 2,
    accepted: offer,
    payload: { signature, authorization },
  })
  await untilPaid(buyer, jobId, () =>
    buyer.post(`/api/jobs/${jobId}/pay`, {}, { 'payment-signature': header }),
  )
}

/** A payment that is still under way is looked at again; the same signature is the only thing that is ever sent. */
async function untilPaid(buyer: SteadyClient, jobId: string, pay: () => Promise<Reply>): Promise<void> {
  const deadline = performance.now() + PAID_LIMIT_MS
  for (;;) {
    const { status, body } = await pay()
    if (status === 200) return
    const job = await buyer.get(`/api/jobs/${jobId}`)
    if (job.body.data.status === 'IN_PROGRESS') return
    if (performance.now() > deadline)
      throw new Error(`paying ${jobId} takes more than ${PAID_LIMIT_MS / 1000} s`)
    if (status !== 202) throw new Error(`paying ${jobId} returned ${status}: ${JSON.stringify(body)}`)
  }
}

async function expectDone<Body>(response: Promise<Reply<Body>>): Promise<Reply<Body>> {
  const done = await response
  if (done.status >= 300) throw new Error(`returned ${done.status}: ${JSON.stringify(done.body)}`)
  return done
}
