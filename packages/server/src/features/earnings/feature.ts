import { createDayKeeping } from '../../house/books/kept-days/keeping.ts'
import { type Feature, onChain } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { earningsInvariants } from './invariants.ts'
import { earningDays } from './kept/days.ts'
import { dueByTreasury } from './kept/treasury.ts'
import { earningsRoutes } from './routes.ts'
import { createEarningsService, type EarningsDeps, type EarningsService } from './service.ts'

const KEEP_SECONDS = 10

interface Deps extends Ground {
  agents: Pick<EarningsDeps, 'agentsOf'>
}

export function defineFeature({ db, searchDb, clock, downloads, agents }: Deps): Feature<EarningsService> {
  const earnings = createEarningsService({ db, searchDb, clock, agentsOf: agents.agentsOf })
  return {
    api: earnings,
    routes: earningsRoutes({ earnings, downloads }),
    eventHandlers: [onChain('RoleChanged', dueByTreasury, dueByTreasury)],
    ticks: [
      { name: 'earning-days', seconds: KEEP_SECONDS, handler: createDayKeeping({ db, days: earningDays }) },
    ],
    invariants: earningsInvariants,
  }
}
