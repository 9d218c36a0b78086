import { exportSpending, listSpending } from '@agent-marketplace/contract'
import type { Downloads } from '../../platform/csv/downloads.ts'
import { type Route, route } from '../../platform/http/call.ts'
import { spendingCells, spendingHeader } from './csv.ts'
import { presentSpending } from './present.ts'
import type { SpendingService } from './service.ts'

interface Deps {
  spending: SpendingService
  downloads: Downloads
}

export function spendingRoutes({ spending, downloads }: Deps): Route[] {
  return [
    route(listSpending, async ({ principal, query }) => {
      const { limit = 50, offset = 0, ...filter } = query
      const page = { limit, offset }
      return presentSpending(await spending.list(principal.ownerId, filter, page), page)
    }),

    route(exportSpending, async ({ principal, query, reply }) => {
      await downloads.send(reply, principal.ownerId, {
        name: 'spending.csv',
        header: spendingHeader,
        batches: spending.export(principal.ownerId, query),
        cellsOf: spendingCells,
      })
      return undefined
    }),
  ]
}
