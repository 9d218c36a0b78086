import { Readable } from 'node:stream'
import { exportSpending, listSpending } from '@agent-marketplace/contract'
import { csvHeaders, csvOf } from '../../platform/csv/csv.ts'
import { type Route, route } from '../../platform/http/call.ts'
import { spendingCells, spendingHeader } from './csv.ts'
import { presentSpending } from './present.ts'
import type { SpendingService } from './service.ts'

export function spendingRoutes({ spending }: { spending: SpendingService }): Route[] {
  return [
    route(listSpending, async ({ principal, query }) => {
      const { limit = 50, offset = 0, ...filter } = query
      const page = { limit, offset }
      return presentSpending(await spending.list(principal.ownerId, filter, page), page)
    }),

    route(exportSpending, async ({ principal, query, reply }) => {
      const csv = csvOf(spendingHeader, spending.export(principal.ownerId, query), spendingCells)
      reply.headers(csvHeaders('spending.csv')).send(Readable.from(csv))
      return undefined
    }),
  ]
}
