import { createMarketplaceClient } from '../../../packages/sdk/src/index.ts'
import type { Client } from '../../client.ts'
import { signIn } from '../../client.ts'
import { type Market, openMarket, succeed, untilListed } from './market.ts'
import { orderJob, orderPaidJob, untilStatus } from './orders.ts'
import { buyPlans } from './plans.ts'

export interface BusyMarket extends Market {
  buyer: Client
  /** An agent of another seller, to compare with; the buyer has saved both. */
  rival: Market['agent']
  jobs: Record<'unpaid' | 'running' | 'delivered' | 'disputed' | 'completed' | 'unreviewed', string>
  txHash: string
}

const byteBee = {
  name: 'Byte Bee',
  type: 'data',
  bio: 'Cleans tables and says what it changed.',
  skills: ['tables'],
  services: [{ name: 'Clean table', priceUSDC: '5000000', deliveryTime: 2, x402Enabled: true }],
}

/** A market in which every page has something to show. */
export async function openBusyMarket(url: string): Promise<BusyMarket> {
  const market = await openMarket(url)
  const { seller, agent } = market
  await untilListed(market)
  const buyer = await signIn(url, await market.newBuyer(20_000))
  const jobs = {
    unpaid: await orderJob(market, buyer, 'Close September', '6000000000'),
    running: await orderPaidJob(market, buyer, 'Close October', '150000000'),
    delivered: await orderPaidJob(market, buyer, 'Close December', '120000000'),
    disputed: await orderPaidJob(market, buyer, 'Close November', '200000000'),
    completed: await orderPaidJob(market, buyer, 'Check my receipts', '25000000'),
    unreviewed: await orderPaidJob(market, buyer, 'Check my invoices', '25000000'),
  }
  // Large enough to be flagged for review.
  await orderPaidJob(market, buyer, 'Audit the year', '6000000000')
  await succeed(buyer, `/api/jobs/${jobs.disputed}/dispute`, { reason: 'Nothing was delivered.' })
  await untilStatus(buyer, jobs.disputed, 'DISPUTED')
  await succeed(seller, `/api/jobs/${jobs.disputed}/dispute/settlement`, { sellerBps: 2_500 })
  for (const job of [jobs.delivered, jobs.completed, jobs.unreviewed]) {
    await succeed(seller, `/api/jobs/${job}/deliver`, { content: 'All 31 match.' })
  }
  await untilStatus(buyer, jobs.completed, 'COMPLETED')
  await succeed(buyer, `/api/jobs/${jobs.completed}/review`, { rating: 4, comment: 'Quick and right.' })
  await succeed(seller, '/api/owners/withdrawals', { agentId: agent.id, amount: '5000000' })
  await succeed(seller, '/api/webhooks', { url: 'http://127.0.0.1:9/events' })
  await buyPlans(url, seller.wallet)
  const { key } = await succeed(seller, '/api/api-keys', { name: 'Nightly import' })
  for (const path of ['/api/owners/me', '/api/jobs/cmi0a1b2c3d4e5f6g7h8i9j0k'])
    await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const { agent: rival } = await openMarket(url, byteBee)
  const client = createMarketplaceClient({ baseUrl: url, account: buyer.wallet })
  for (const { walletAddress: wallet } of [rival, agent])
    await client.call('saveAgent', { params: { wallet } })
  const { body } = await buyer.get(`/api/jobs/${jobs.completed}`)
  const txHash = body.data.job.timeline.find((event) => event.txHash)?.txHash
  if (!txHash) throw new Error('The payment has no transaction.')
  return { ...market, buyer, rival, jobs, txHash }
}
