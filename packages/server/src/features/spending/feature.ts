import { createDayKeeping } from '../../house/books/kept-days/keeping.ts'
import { type Feature, onChain } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { spendingInvariants } from './invariants.ts'
import { spendingDays } from './kept/days.ts'
import { dueByTreasury } from './kept/treasury.ts'
import { spendingRoutes } from './routes.ts'
import { createSpendingService } from './service.ts'

const KEEP_SECONDS = 10

export function defineFeature({ db, downloads }: Ground): Feature<undefined> {
  return {
    api: undefined,
    routes: spendingRoutes({ spending: createSpendingService({ db }), downloads }),
    eventHandlers: [onChain('RoleChanged', dueByTreasury, dueByTreasury)],
    ticks: [
      { name: 'spending-days', seconds: KEEP_SECONDS, handler: createDayKeeping({ db, days: spendingDays }) },
    ],
    invariants: spendingInvariants,
  }
}
