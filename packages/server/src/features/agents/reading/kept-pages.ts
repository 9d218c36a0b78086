import type { getAgent } from '@agent-marketplace/contract'
import type { Database } from '../../../platform/db/database.ts'
import { createCoalescedLookup } from '../../../platform/fast/coalesce.ts'
import type { Kept } from '../../../platform/fast/kept.ts'
import { type ResponseOf, Written } from '../../../platform/http/call.ts'
import type { WantedForm } from '../../../platform/http/forms/forms.ts'
import { findPageVersions, type PageParts, pageVersionOf } from '../lookup-store.ts'
import { type AgentWithHistory, versionIn } from './detail.ts'

/** Of about 25,000 agents with one service each. */
export const KEPT_PAGE_BYTES = 64 * 1024 * 1024

type PublicPage = ResponseOf<typeof getAgent>

/** What everyone sees of an agent, as it was last written. */
interface KeptPage {
  version: string
  written: Written
}

export type KeptPages = Kept<KeptPage>

/**
 * Sends the page of an agent again for as long as nothing on it has changed. Each request asks the database for that, in
 * one small statement with the others of its moment: so a page is never older than the request, no matter who changed the agent.
 */
export function createPageLookup({
  db,
  keptPages,
  existing,
  present,
  ...parts
}: PageParts & {
  db: Database
  keptPages: KeptPages
  existing: (wallet: string) => Promise<AgentWithHistory>
  present: (agent: AgentWithHistory) => PublicPage
}) {
  const pageVersion = pageVersionOf(parts)
  const findVersion = createCoalescedLookup({
    // The statement is so small that sending it is most of its cost: one at a time gathers the most for the next.
    inFlightLimit: 1,
    load: async (wallets: string[]) => {
      const found = await findPageVersions(db, pageVersion, wallets)
      return new Map(found.map((row) => [row.wallet, versionIn(row)]))
    },
  })

  return async (wallet: string, form: WantedForm, write: (page: PublicPage) => Written): Promise<Written> => {
    const walletKey = wallet.toLowerCase()
    const key = `${form} ${walletKey}`
    const kept = keptPages.get(key)
    if (kept && kept.version === (await findVersion(walletKey))) return kept.written
    const agent = await existing(wallet)
    const { mediaType, body } = write(present(agent))
    // Bytes, which are sent again for less than a text.
    const written = new Written(mediaType, Buffer.from(body))
    keptPages.set(key, { version: agent.version, written }, written.body.length)
    return written
  }
}
