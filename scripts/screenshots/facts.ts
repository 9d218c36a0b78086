import { privateKeyToAccount } from 'viem/accounts'
import type { JobStatus } from '../../packages/contract/src/index.ts'
import { createMarketplaceClient, type MarketplaceClient } from '../../packages/sdk/src/index.ts'

export type Role = 'buyer' | 'seller' | 'admin'

/** What the demo holds that an address can name. */
export interface Facts {
  /** Wallets of agents, the best of the list first. */
  agents: readonly [string, string, string]
  /** An agent without a job. */
  newAgent: string
  /** The agent of the test seller. */
  ownAgent: string
  seller: string
  /** One job of each status, as buyer and as seller see it. */
  jobs: Record<'buyer' | 'seller', Partial<Record<JobStatus, string>>>
  /** The agent of the buyer's completed job, which can be hired again. */
  doneBy: string
  dispute: string
  txHash: string
}

export async function readFacts(url: string): Promise<Facts> {
  const reader = createMarketplaceClient({ baseUrl: url })
  const { data } = await reader.call('listSandboxWallets')
  const keyOf = (role: Role) => data.wallets.find((wallet) => wallet.role === role)?.privateKey
  const clientOf = async (role: Role) => {
    const client = createMarketplaceClient({
      baseUrl: url,
      account: privateKeyToAccount(keyOf(role) as `0x${string}`),
    })
    await client.signIn()
    return client
  }
  const [buyer, seller, admin] = [await clientOf('buyer'), await clientOf('seller'), await clientOf('admin')]
  const best = await reader.call('searchAgents', { query: { sort: 'rating', limit: 3 } })
  const [first, second, third] = best.data.agents.map(({ walletAddress }) => walletAddress)
  const newest = await reader.call('listAgents', { query: { limit: 1 } })
  const { owner } = await seller.getSession()
  const sellerWallet = needed(owner.walletAddress ?? undefined)
  const disputes = await admin.call('listDisputes', { query: { status: 'OPEN' } })
  const jobs = { buyer: await jobsByStatus(buyer, 'client'), seller: await jobsByStatus(seller, 'seller') }
  const done = await buyer.call('getJob', { params: { id: needed(jobs.buyer.COMPLETED) } })
  return {
    newAgent: needed(newest.data[0]?.walletAddress),
    doneBy: done.data.job.agent.walletAddress,
    agents: [needed(first), needed(second), needed(third)],
    ownAgent: await ownAgentOf(seller, sellerWallet),
    seller: sellerWallet,
    jobs,
    dispute: needed(disputes.data.disputes[0]?.job.id),
    txHash: needed(done.data.job.timeline.find(({ txHash }) => txHash)?.txHash ?? undefined),
  }
}

async function ownAgentOf(client: MarketplaceClient, wallet: string): Promise<string> {
  const { data } = await client.call('listSellerAgents', { params: { wallet } })
  return needed(data.agents[0]?.walletAddress)
}

async function jobsByStatus(client: MarketplaceClient, role: 'client' | 'seller') {
  const found: Partial<Record<JobStatus, string>> = {}
  for await (const job of client.listJobs({ role, limit: 100 })) found[job.status] ??= job.id
  return found
}

function needed(fact: string | undefined): string {
  if (fact === undefined) throw new Error('The demo data lacks something that a page shows.')
  return fact
}
