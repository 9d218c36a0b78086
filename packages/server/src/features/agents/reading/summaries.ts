import type { AgentSummary } from '@agent-marketplace/contract'
import type { Database } from '../../../platform/db/database.ts'
import { createCoalescedLookup } from '../../../platform/fast/coalesce.ts'
import type { Kept } from '../../../platform/fast/kept.ts'
import { findFound, findingOf, type PageParts } from '../lookup-store.ts'
import type { Finding } from '../store.ts'
import { type HistoryDeps, sellerOf, sellersOf } from './detail.ts'
import { presentSummary } from './present.ts'

/** Of about 10,000 agents with one service each. */
export const KEPT_SUMMARY_BYTES = 16 * 1024 * 1024

/** What lists show of an agent, as it was last read. */
interface KeptSummary {
  version: string
  summary: AgentSummary
}

export type KeptSummaries = Kept<KeptSummary>

export interface SummariesDeps extends Pick<HistoryDeps, 'sellersOf'>, Pick<PageParts, 'sellerVersion'> {
  db: Database
  keptSummaries: KeptSummaries
}

/**
 * What lists show of the agents that were found. Search says in which version it found them, so that only those are read
 * which nobody has asked for since they changed. One that was read is at least as new as the search. Readers share a summary and
 * must not change it.
 */
export function createSummaries({ db, keptSummaries, sellerVersion, ...deps }: SummariesDeps) {
  const finding = findingOf(sellerVersion)

  const read = createCoalescedLookup({
    load: async (ids: string[]): Promise<Map<string, AgentSummary>> => {
      const rows = await findFound(db, finding, ids)
      const sellers = await sellersOf(db, deps, rows)
      return new Map(
        rows.map((row) => {
          const summary = presentSummary(row, sellerOf(sellers, row))
          keptSummaries.set(row.id, { version: row.rowVersion, summary }, 2 * JSON.stringify(summary).length)
          return [row.id, summary]
        }),
      )
    },
  })

  return async (found: readonly Finding[]): Promise<AgentSummary[]> => {
    const summaries = await Promise.all(
      found.map(({ id, rowVersion }) => {
        const kept = keptSummaries.get(id)
        return kept?.version === rowVersion ? kept.summary : read(id)
      }),
    )
    return summaries.filter((summary) => summary !== undefined)
  }
}
