import type { AgentDetail } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { unknownAgent } from '../ownership.ts'
import type { AgentRow } from '../store.ts'
import { type HistoryDeps, historiesOf, noHistory, sellerOf, sellersOf } from './detail.ts'
import { type DetailFacts, presentDetail } from './present.ts'

export interface ViewsDeps extends HistoryDeps {
  registry: { reference: DetailFacts['registry'] }
  wallets: Pick<DetailFacts, 'custody'>
}

/** Agents as their owners and admins see them, with what other features know of them. */
export function createViews(deps: ViewsDeps) {
  const registry = deps.registry.reference
  const { custody } = deps.wallets

  const privyDetail = async (queryable: Queryable, row: AgentRow): Promise<AgentDetail> => {
    const [detail] = await privyDetails(queryable, [row])
    if (!detail) throw unknownAgent()
    return detail
  }

  const privyDetails = async (queryable: Queryable, rows: readonly AgentRow[]): Promise<AgentDetail[]> => {
    const histories = await historiesOf(queryable, deps, rows)
    const sellers = await sellersOf(queryable, deps, rows)
    return rows.map((row) => {
      const history = histories.get(row.id) ?? noHistory
      const seller = sellerOf(sellers, row)
      return presentDetail(row, { history, registry, custody, isPrivy: true, seller })
    })
  }

  return { privyDetail, privyDetails }
}
