import { vi } from 'vitest'
import { PATIENCE_MS } from '../../../packages/server/src/testing/patience.ts'
import { type Client, signableOf } from '../../client.ts'
import { type Market, succeed } from './market.ts'

/** A job that nobody has paid yet, made through the API. */
export async function orderJob(
  { agent }: Pick<Market, 'agent'>,
  buyer: Client,
  title: string,
  agreedPrice: string,
): Promise<string> {
  const description = 'Everything of October, with a note on each difference.'
  const order = { agentId: agent.id, title, description, agreedPrice }
  return (await succeed(buyer, '/api/jobs', order)).jobId
}

/** A job that is paid, by the rail of its price. */
export async function orderPaidJob(
  market: Pick<Market, 'agent'>,
  buyer: Client,
  title: string,
  agreedPrice: string,
): Promise<string> {
  const jobId = await orderJob(market, buyer, title, agreedPrice)
  const { body } = await buyer.get(`/api/jobs/${jobId}`)
  const path = `/api/jobs/${jobId}/pay` as const
  if (body.data.paymentMethod === 'X402') {
    await buyer.pay(path)
    return untilStatus(buyer, jobId, 'IN_PROGRESS')
  }
  const typedData = signableOf(body.data.job.paymentInfo?.typedData)
  const signature = await buyer.wallet.signTypedData(typedData)
  await succeed(buyer, path, { authorization: typedData.message, signature })
  return untilStatus(buyer, jobId, 'IN_PROGRESS')
}

/** On a busy machine a call may return before the chain has confirmed it: the next step waits for that. */
export async function untilStatus(client: Client, jobId: string, status: string): Promise<string> {
  const isThere = async () => (await client.get(`/api/jobs/${jobId}`)).body.data.job.status === status
  await vi.waitUntil(isThere, { timeout: PATIENCE_MS, interval: 100 })
  return jobId
}

/** A job that was paid, delivered, approved where it needs that, and reviewed. */
export async function orderReviewedJob(
  market: Pick<Market, 'agent' | 'seller'>,
  buyer: Client,
  title: string,
  agreedPrice: string,
  rating: number,
): Promise<string> {
  const jobId = await orderPaidJob(market, buyer, title, agreedPrice)
  await succeed(market.seller, `/api/jobs/${jobId}/deliver`, { content: 'All of it.' })
  const { body } = await buyer.get(`/api/jobs/${jobId}`)
  if (body.data.job.status === 'UNDER_REVIEW') await succeed(buyer, `/api/jobs/${jobId}/approve`)
  await untilStatus(buyer, jobId, 'COMPLETED')
  await succeed(buyer, `/api/jobs/${jobId}/review`, { rating })
  return jobId
}
