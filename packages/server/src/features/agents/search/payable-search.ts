import type { AgentSearch } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import type { ListedService } from '../../../house/services/payable-service.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { createCursors } from '../../../platform/http/cursor.ts'
import { findPayee, listPayableServicesOf } from '../reading/payable-services.ts'
import type { SearchPage } from './search.ts'

export interface PayableSearchDeps {
  searchDb: Queryable
  cursorSecret: string
  search: (search: AgentSearch) => Promise<Pick<SearchPage, 'rows'>>
}

export interface PayableQuery {
  query: string
  payTo?: string | undefined
  limit: number
  cursor?: string | undefined
}

/** The first agent of a page, and how many of its services were on the page before. */
const Place = Type.Object({ agentOffset: Type.Integer(), skipped: Type.Integer() })

/** The payable services of the agents that search finds, in its order. */
export function createPayableSearch({ searchDb, cursorSecret, search }: PayableSearchDeps) {
  const cursors = createCursors(Place, { secret: cursorSecret, list: 'payable-services' })

  async function findAgents({ query, payTo, limit }: PayableQuery, offset: number): Promise<string[]> {
    if (payTo === undefined)
      return (await search({ q: query, x402Enabled: true, limit, offset })).rows.map(({ id }) => id)
    const payee = offset === 0 ? await findPayee(searchDb, payTo, query) : undefined
    return payee ? [payee.id] : []
  }

  return async (asked: PayableQuery): Promise<{ services: ListedService[]; cursor: string | null }> => {
    const { query, payTo = null, limit, cursor } = asked
    const filter = [query, payTo]
    const { agentOffset, skipped } = cursor ? cursors.read(cursor, filter) : { agentOffset: 0, skipped: 0 }
    const agentIds = await findAgents(asked, agentOffset)
    const services = await listPayableServicesOf(searchDb, agentIds, { limit, offset: skipped })
    const last = services.at(-1)
    if (services.length === limit && last) {
      const ofLast = services.filter(({ agentId }) => agentId === last.agentId).length
      const rank = agentIds.indexOf(last.agentId)
      const place = { agentOffset: agentOffset + rank, skipped: ofLast + (rank === 0 ? skipped : 0) }
      return { services, cursor: cursors.write(place, filter) }
    }
    const isEnd = agentIds.length < limit
    const place = { agentOffset: agentOffset + agentIds.length, skipped: 0 }
    return { services, cursor: isEnd ? null : cursors.write(place, filter) }
  }
}
