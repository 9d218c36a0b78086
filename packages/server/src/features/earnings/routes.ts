import { Readable } from 'node:stream'
import {
  exportEarnings,
  getEarningsBreakdown,
  getEarningsSeries,
  listEarnings,
} from '@agent-marketplace/contract'
import { csvHeaders, csvOf } from '../../platform/csv/csv.ts'
import { type Route, route } from '../../platform/http/call.ts'
import { presentBreakdown } from './breakdown.ts'
import { earningCells, earningsHeader } from './csv.ts'
import { presentEarnings, presentSeries } from './present.ts'
import type { EarningsService } from './service.ts'

export function earningsRoutes({ earnings }: { earnings: EarningsService }): Route[] {
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
      const batches = await earnings.export(principal.ownerId, query)
      const csv = csvOf(earningsHeader, batches, earningCells)
      reply.headers(csvHeaders('earnings.csv')).send(Readable.from(csv))
      return undefined
    }),
  ]
}
