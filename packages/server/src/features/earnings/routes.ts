import { Readable } from 'node:stream'
import { exportEarnings, getEarningsSeries, listEarnings } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import { csvOf } from './csv.ts'
import { presentEarnings, presentSeries } from './present.ts'
import type { EarningsService } from './service.ts'

export function earningsRoutes({ earnings }: { earnings: EarningsService }): Route[] {
  return [
    route(listEarnings, async ({ principal, query }) => {
      const { limit = 50, offset = 0, ...filter } = query
      const page = { limit, offset }
      return presentEarnings(await earnings.list(principal.ownerId, filter, page), page)
    }),

    route(getEarningsSeries, async ({ principal, query }) =>
      presentSeries(await earnings.series(principal.ownerId, query)),
    ),

    route(exportEarnings, async ({ principal, query, reply }) => {
      const batches = await earnings.export(principal.ownerId, query)
      reply
        .type('text/csv; charset=utf-8')
        .header('Content-Disposition', 'attachment; filename="earnings.csv"')
        .header('Cache-Control', 'no-store')
        .send(Readable.from(csvOf(batches)))
      return undefined
    }),
  ]
}
