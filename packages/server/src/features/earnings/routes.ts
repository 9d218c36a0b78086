import {
  exportEarnings,
  getEarningsBreakdown,
  getEarningsSeries,
  listEarnings,
} from '@agent-marketplace/contract'
import type { Downloads } from '../../platform/csv/downloads.ts'
import { type Route, route } from '../../platform/http/call.ts'
import { presentBreakdown } from './breakdown.ts'
import { earningCells, earningsHeader } from './csv.ts'
import { presentEarnings, presentSeries } from './present.ts'
import type { EarningsService } from './service.ts'

interface Deps {
  earnings: EarningsService
  downloads: Downloads
}

export function earningsRoutes({ earnings, downloads }: Deps): Route[] {
  return [
    route(listEarnings, async ({ principal, query }) => {
      const { sort = 'newest', limit = 50, offset = 0, ...filter } = query
      const page = { limit, offset }
      return presentEarnings(await earnings.list(principal.ownerId, filter, { sort, ...page }), page)
    }),

    route(getEarningsSeries, async ({ principal, query }) =>
      presentSeries(await earnings.series(principal.ownerId, query)),
    ),

    route(getEarningsBreakdown, async ({ principal, query: { by, ...filter } }) =>
      presentBreakdown(await earnings.breakdown(principal.ownerId, filter, by)),
    ),

    route(exportEarnings, async ({ principal, query, reply }) => {
      await downloads.send(reply, principal.ownerId, {
        name: 'earnings.csv',
        header: earningsHeader,
        batches: await earnings.export(principal.ownerId, query),
        cellsOf: earningCells,
      })
      return undefined
    }),
  ]
}
