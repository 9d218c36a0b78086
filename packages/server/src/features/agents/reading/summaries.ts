import type { AgentSummary } from '@agent-marketplace/contract'
import type { Database } from '../../../platform/db/database.ts'
import type { Kept } from '../../../platform/fast/kept.ts'
import { findSummaryRows, type PageParts, versionColumnsOf } from '../lookup-store.ts'
import type { AgentVersion } from '../store.ts'
import { type HistoryDeps, sellerOf, sellersOf } from './detail.ts'
import { presentSummary } from './present.ts'

/** Of about 12,000 agents with one service each. */
export const KEPT_SUMMARY_BYTES = 16 * 1024 * 1024

/** What lists show of an agent, as it was last read. */
interface KeptSummary {
  version: string
  isListed: boolean
  summary: AgentSummary
}

export type KeptSummaries = Kept<KeptSummary>

export interface SummariesDeps extends Pick<HistoryDeps, 'sellersOf'>, Pick<PageParts, 'sellerVersion'> {
  db: Database
  keptSummaries: KeptSummaries
}

/**
 * What lists show of the agents that were found. Search returns their versions, and only agents that have changed since
 * they were last read, or that are not kept, are read again. What is read is at least as new as what was found. Readers
 * share a summary and must not change it.
 */
export function createSummaries({ db, keptSummaries, sellerVersion, ...deps }: SummariesDeps) {
  const versionColumns = versionColumnsOf(sellerVersion)

  async function read(ids: readonly string[]): Promise<KeptSummary[]> {
    const rows = await findSummaryRows(db, versionColumns, ids)
    const sellers = await sellersOf(db, deps, rows)
    return rows.map((row) => {
      const summary = presentSummary(row, sellerOf(sellers, row))
      const kept = { version: row.rowVersion, isListed: row.listed, summary }
      keptSummaries.set(row.id, kept, JSON.stringify(summary).length)
      return kept
    })
  }

  async function shownOf(found: readonly AgentVersion[]): Promise<KeptSummary[]> {
    const known = found.map(({ id, rowVersion }) => {
      const kept = keptSummaries.get(id)
      return kept?.version === rowVersion ? kept : undefined
    })
    const missing = found.flatMap(({ id }, place) => (known[place] ? [] : id))
    if (missing.length === 0) return known.filter((kept) => kept !== undefined)
    const fresh = new Map((await read(missing)).map((kept) => [kept.summary.id, kept]))
    return found.flatMap(({ id }, place) => known[place] ?? fresh.get(id) ?? [])
  }

  return {
    /** Without those that were taken off the lists since they were found. */
    async summariesOf(found: readonly AgentVersion[]): Promise<AgentSummary[]> {
      return (await shownOf(found)).flatMap(({ isListed, summary }) => (isListed ? summary : []))
    },
    /** Also those that lists do not show. */
    async allSummariesOf(agents: readonly AgentVersion[]): Promise<AgentSummary[]> {
      return (await shownOf(agents)).map(({ summary }) => summary)
    },
  }
}
