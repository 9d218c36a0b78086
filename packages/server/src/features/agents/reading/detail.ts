import type { AgentDetail, Review } from '@agent-marketplace/contract'
import type { KnownSeller } from '../../../house/sellers.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { createCoalescedLookup } from '../../../platform/fast/coalesce.ts'
import { findVersionedAgents, type PageParts, type PageVersion, pageVersionOf } from '../lookup-store.ts'
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
  version: string
  history: AgentHistory
  seller: KnownSeller
}

export const noHistory: AgentHistory = { reviews: [], portfolio: [] }

/** Reads are joined: many visitors at the same time cost four statements, and agents without reviews two. */
export function createAgentLookup({ db, ...deps }: HistoryDeps & PageParts & { db: Database }) {
  const pageVersion = pageVersionOf(deps)
  const load = async (wallets: string[]): Promise<Map<string, AgentWithHistory>> => {
    const rows = await findVersionedAgents(db, pageVersion, wallets)
    const histories = await historiesIn(
      db,
      deps,
      rows.filter(({ historyVersion }) => historyVersion !== null),
    )
    const sellers = await sellersOf(db, deps, rows)
    return new Map(
      rows.map((row) => [
        row.walletAddress.toLowerCase(),
        {
          row,
          version: versionIn(row),
          history: histories.get(row.id) ?? noHistory,
          seller: sellerOf(sellers, row),
        },
      ]),
    )
  }
  const find = createCoalescedLookup({ load })
  return (wallet: string) => find(wallet.toLowerCase())
}

/** As text, to compare. */
export const versionIn = ({ rowVersion, historyVersion }: PageVersion): string =>
  `${rowVersion} ${historyVersion ?? ''}`

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
export const historiesOf = (
  db: Queryable,
  deps: HistoryDeps,
  rows: readonly AgentRow[],
): Promise<Map<string, AgentHistory>> =>
  historiesIn(
    db,
    deps,
    rows.filter((row) => hasHistory(row) || row.scoredAt !== null),
  )

async function historiesIn(
  db: Queryable,
  deps: HistoryDeps,
  rows: readonly AgentRow[],
): Promise<Map<string, AgentHistory>> {
  const agentIds = rows.map(({ id }) => id)
  if (agentIds.length === 0) return new Map()
  const reviews = await deps.reviewsOf(db, agentIds)
  const portfolios = await deps.portfoliosOf(db, agentIds)
  return new Map(
    agentIds.map((id) => [id, { reviews: reviews.get(id) ?? [], portfolio: portfolios.get(id) ?? [] }]),
  )
}

const hasHistory = ({ totalJobs, cancelledJobs, reviewCount, undeliveredJobs }: AgentRow): boolean =>
  totalJobs + cancelledJobs + reviewCount + undeliveredJobs > 0
