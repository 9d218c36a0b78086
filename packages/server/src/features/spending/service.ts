import type { SpendingKind } from '@agent-marketplace/contract'
import { periodOf } from '../../house/books/period.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { SpendingFilter } from './spent.ts'
import {
  type AgentSums,
  listSpending,
  listSpendingAfter,
  type SpendingRow,
  type Sums,
  sumByAgent,
  sumByKind,
  sumByMonth,
} from './store.ts'

/** How many entries of an export are in memory at a time. */
const EXPORT_BATCH = 1_000

export interface SpendingQuery {
  kind?: SpendingKind | undefined
  agentId?: string | undefined
  startDate?: string | undefined
  endDate?: string | undefined
}

export interface SpendingPage {
  rows: SpendingRow[]
  total: number
  byKind: (Sums & { kind: SpendingKind })[]
  byMonth: (Sums & { month: string })[]
  byAgent: AgentSums[]
}

/**
 * What an owner spent, read from the journal. It promises: list, totals and export agree to the micro-unit, and with the
 * receipts of the jobs, because all are the same rows; nobody reads of another owner's spending, filters only narrow.
 */
export function createSpendingService({ db }: { db: Queryable }) {
  const filterOf = (ownerId: string, { kind, agentId, ...dates }: SpendingQuery): SpendingFilter => ({
    ownerId,
    kind,
    agentId,
    ...periodOf(dates),
  })

  async function* exportInBatches(filter: SpendingFilter): AsyncGenerator<SpendingRow[]> {
    let after: SpendingRow | undefined
    while (true) {
      const rows: SpendingRow[] = await listSpendingAfter(db, filter, { after, limit: EXPORT_BATCH })
      yield rows
      after = rows.at(-1)
      if (rows.length < EXPORT_BATCH) return
    }
  }

  return {
    async list(
      ownerId: string,
      query: SpendingQuery,
      page: { limit: number; offset: number },
    ): Promise<SpendingPage> {
      const filter = filterOf(ownerId, query)
      const [rows, byKind, byMonth, byAgent] = await Promise.all([
        listSpending(db, filter, page),
        sumByKind(db, filter),
        sumByMonth(db, filter),
        sumByAgent(db, filter),
      ])
      return { rows, total: byKind.reduce((sum, { count }) => sum + count, 0), byKind, byMonth, byAgent }
    },

    /** Everything that fits, oldest first, a batch at a time. */
    export: (ownerId: string, query: SpendingQuery): AsyncGenerator<SpendingRow[]> =>
      exportInBatches(filterOf(ownerId, query)),
  }
}

export type SpendingService = ReturnType<typeof createSpendingService>
