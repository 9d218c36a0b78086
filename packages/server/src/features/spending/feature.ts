import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { spendingRoutes } from './routes.ts'
import { createSpendingService } from './service.ts'

export function defineFeature({ db, downloads }: Ground): Feature<undefined> {
  return { api: undefined, routes: spendingRoutes({ spending: createSpendingService({ db }), downloads }) }
}
