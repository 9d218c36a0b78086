import type { AgentDetail, Review } from '@agent-marketplace/contract'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { createCoalescedLookup } from '../../../platform/fast/coalesce.ts'
import { type AgentRow, findAgentsByWallet } from '../store.ts'
import type { AgentHistory } from './present.ts'

export interface HistoryDeps {
  /** The ten newest reviews of each of these agents; agents without any may be absent. */
  reviewsOf: (db: Queryable, agentIds: string[]) => Promise<Map<string, Review[]>>
  /** The ten newest completed jobs that were reviewed with 4 or 5, likewise. */
  portfoliosOf: (db: Queryable, agentIds: string[]) => Promise<Map<string, AgentDetail['portfolio']>>
}

export interface AgentWithHistory {
  row: AgentRow
  history: AgentHistory
}

export const noHistory: AgentHistory = { reviews: [], portfolio: [] }

/** Reads are joined: many visitors at the same time cost three statements, and an agent without jobs one. */
export function createAgentLookup({ db, ...deps }: HistoryDeps & { db: Database }) {
  const load = async (wallets: string[]): Promise<Map<string, AgentWithHistory>> => {
    const rows = await findAgentsByWallet(db, wallets)
    const histories = await historiesOf(db, deps, rows)
    return new Map(
      rows.map((row) => [
        row.wallet_address.toLowerCase(),
        { row, history: histories.get(row.id) ?? noHistory },
      ]),
    )
  }
  const find = createCoalescedLookup({ load })
  return (wallet: string) => find(wallet.toLowerCase())
}

/** Only completed jobs leave reviews and works to show. */
export async function historiesOf(
  db: Queryable,
  deps: HistoryDeps,
  rows: readonly AgentRow[],
): Promise<Map<string, AgentHistory>> {
  const agentIds = rows.filter((row) => row.total_jobs > 0).map((row) => row.id)
  if (agentIds.length === 0) return new Map()
  const reviews = await deps.reviewsOf(db, agentIds)
  const portfolios = await deps.portfoliosOf(db, agentIds)
  return new Map(
    agentIds.map((id) => [id, { reviews: reviews.get(id) ?? [], portfolio: portfolios.get(id) ?? [] }]),
  )
}
