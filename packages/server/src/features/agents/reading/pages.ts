import type { AgentDetail, AgentSearch, AgentSummary } from '@agent-marketplace/contract'
import { markSvgOf } from '../../../house/mark-svg.ts'
import type { ReadSources } from '../../../platform/db/replicas/reads.ts'
import type { ChainPort } from '../../../ports/chain/port.ts'
import { cardIdentityOf, registrationFileOf } from '../files.ts'
import { listByIds, listListedOf, type PageParts, sumAgentsOf, versionColumnsOf } from '../lookup-store.ts'
import { unknownAgent } from '../ownership.ts'
import { createPayableSearch } from '../search/payable-search.ts'
import { type AgentSearchDeps, createAgentSearch } from '../search/search.ts'
import type { AgentRow } from '../store.ts'
import { type AgentWithHistory, createAgentLookup } from './detail.ts'
import { createPageLookup, type KeptPages } from './kept-pages.ts'
import { createAgentList } from './list.ts'
import { listListedWallets } from './listed-wallets.ts'
import {
  findPayee,
  listPayableServices,
  listPayableServicesOf,
  type ServicesPage,
} from './payable-services.ts'
import { presentBothForms, presentDetail } from './present.ts'
import { presentReputation } from './present-record.ts'
import { createSummaries, type SummariesDeps } from './summaries.ts'
import type { ViewsDeps } from './views.ts'

/** The viewer of an agent. */
export interface Viewer {
  ownerId: string
  isAdmin: boolean
}

export interface AgentPagesDeps
  extends Omit<ReadSources, 'db'>,
    ViewsDeps,
    SummariesDeps,
    PageParts,
    Omit<AgentSearchDeps, 'searchDb' | 'limits'> {
  registry: ViewsDeps['registry'] & Pick<ChainPort['agentRegistry'], 'operator'>
  publicUrl: URL
  cursorSecret: string
  keptPages: KeptPages
}

/** What everyone may read of agents. It decides nothing, so that a replica may serve it. */
export function createAgentPages(deps: AgentPagesDeps) {
  const { db, searchDb } = deps
  const registry = deps.registry.reference
  const { custody } = deps.wallets
  const search = createAgentSearch(deps)
  const lookUp = createAgentLookup(deps)
  const { summariesOf, allSummariesOf } = createSummaries(deps)
  const versionColumns = versionColumnsOf(deps.sellerVersion)

  async function existing(wallet: string): Promise<AgentWithHistory> {
    const found = await lookUp(wallet)
    if (!found) throw unknownAgent()
    return found
  }

  const detailFor = ({ row, history, seller }: AgentWithHistory, isPrivy: boolean): AgentDetail =>
    presentDetail(row, { history, registry, custody, isPrivy, seller })

  return {
    /** For what other features read on the same server. */
    db,
    list: createAgentList(deps),
    search,
    /** What programs can order at a URL of its own. */
    searchPayable: createPayableSearch({ ...deps, search }),
    async listPayable({ payTo, ...page }: ServicesPage & { payTo?: string | undefined }) {
      if (payTo === undefined) return listPayableServices(searchDb, page)
      const payee = await findPayee(searchDb, payTo)
      if (!payee) return { services: [], total: 0 }
      return { services: await listPayableServicesOf(searchDb, [payee.id], page), total: payee.services }
    },
    summariesOf,
    /** In any order, also those that lists do not show. */
    summariesByIds: async (ids: readonly string[]): Promise<AgentSummary[]> =>
      allSummariesOf(await listByIds(db, versionColumns, ids)),
    findSummaries: async (query: AgentSearch): Promise<AgentSummary[]> =>
      summariesOf((await search(query)).rows),
    /** For sitemaps. */
    listedWallets: (digits: string, limit: number) => listListedWallets(searchDb, digits, limit),

    existing,
    async detailOf(
      wallet: string,
      viewer: Viewer | undefined,
    ): Promise<{ row: AgentRow; detail: AgentDetail }> {
      const agent = await existing(wallet)
      const isPrivy = viewer !== undefined && (viewer.isAdmin || viewer.ownerId === agent.row.ownerId)
      return { row: agent.row, detail: detailFor(agent, isPrivy) }
    },
    /** The same for those who are nobody here, as it is sent to them. */
    publicPageOf: createPageLookup({
      ...deps,
      existing,
      present: (agent) => presentBothForms(agent.row, detailFor(agent, false)),
    }),

    reputationOf: async (wallet: string) => presentReputation((await existing(wallet)).row, registry),
    async registrationFileOf(wallet: string) {
      const { row } = await existing(wallet)
      return registrationFileOf(row, {
        publicUrl: deps.publicUrl,
        registry,
        reviewer: deps.registry.operator,
      })
    },
    imageOf: async (wallet: string): Promise<string> => markSvgOf((await existing(wallet)).row.walletAddress),
    async identityOnCard(wallet: string) {
      const { row, seller } = await existing(wallet)
      return cardIdentityOf(row, { publicUrl: deps.publicUrl, companyName: seller.verifiedBusiness })
    },

    recordOf: (ownerId: string) => sumAgentsOf(db, ownerId),
    /** An owner's agents that lists show, the oldest first. */
    listedOf: async (ownerId: string, page: { limit: number; offset: number }): Promise<AgentSummary[]> =>
      summariesOf(await listListedOf(db, versionColumns, { ownerId, ...page })),
  }
}

export type AgentPages = ReturnType<typeof createAgentPages>
