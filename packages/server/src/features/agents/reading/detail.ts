import type { AgentDetail, Review } from '@agent-marketplace/contract'
import type { KnownSeller } from '../../../house/sellers.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { createCoalescedLookup } from '../../../platform/fast/coalesce.ts'
import { findAgentsByWallet } from '../lookup-store.ts'
import type { AgentRow } from '../store.ts'
import type { AgentHistory } from './present.ts'

export interface HistoryDeps {
  /** The ten newest reviews of each of these agents; agents without any may be absent. */
  reviewsOf: (db: Queryable, agentIds: string[]) => Promise<Map<string, Review[]>>
  /** The ten newest completed jobs that were reviewed with 4 or 5, likewise. */
  portfoliosOf: (db: Queryable, agentIds: string[]) => Promise<Map<string, AgentDetail['portfolio']>>
  /** The sellers of the agents, by owner. */
  sellersOf: (db: Queryable, ownerIds: readonly string[]) => Promise<Map<string, KnownSeller>>
}

export interface AgentWithHistory {
  row: AgentRow
  history: AgentHistory
  seller: KnownSeller
}

export const noHistory: AgentHistory = { reviews: [], portfolio: [] }

/** Reads are joined: many visitors at the same time cost four statements, and an agent without jobs two. */
export function createAgentLookup({ db, ...deps }: HistoryDeps & { db: Database }) {
  const load = async (wallets: string[]): Promise<Map<string, AgentWithHistory>> => {
    const rows = await findAgentsByWallet(db, wallets)
    const histories = await historiesOf(db, deps, rows)
    const sellers = await sellersOf(db, deps, rows)
    return new Map(
      rows.map((row) => [
        row.walletAddress.toLowerCase(),
        {
          row,
          history: histories.get(row.id) ?? noHistory,
          seller: sellerOf(sellers, row),
        },
      ]),
    )
  }
  const find = createCoalescedLookup({ load })
  return (wallet: string) => find(wallet.toLowerCase())
}

export async function sellersOf(
  db: Queryable,
  deps: Pick<HistoryDeps, 'sellersOf'>,
  rows: readonly { ownerId: string }[],
): Promise<Map<string, KnownSeller>> {
  if (rows.length === 0) return new Map()
  return deps.sellersOf(db, [...new Set(rows.map(({ ownerId }) => ownerId))])
}

export function sellerOf(sellers: Map<string, KnownSeller>, { ownerId }: { ownerId: string }): KnownSeller {
  const seller = sellers.get(ownerId)
  if (!seller) throw new Error('An agent has no owner')
  return seller
}

/** Without a job that has ended or is late there is nothing to show. */
export async function historiesOf(
  db: Queryable,
  deps: HistoryDeps,
  rows: readonly AgentRow[],
): Promise<Map<string, AgentHistory>> {
  const agentIds = rows.filter((row) => hasHistory(row) || row.scoredAt !== null).map((row) => row.id)
  if (agentIds.length === 0) return new Map()
  const reviews = await deps.reviewsOf(db, agentIds)
  const portfolios = await deps.portfoliosOf(db, agentIds)
  return new Map(
    agentIds.map((id) => [id, { reviews: reviews.get(id) ?? [], portfolio: portfolios.get(id) ?? [] }]),
  )
}

const hasHistory = ({ totalJobs, cancelledJobs, reviewCount, undeliveredJobs }: AgentRow): boolean =>
  totalJobs + cancelledJobs + reviewCount + undeliveredJobs > 0
