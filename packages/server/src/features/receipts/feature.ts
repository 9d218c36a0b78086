import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { receiptsRoutes } from './routes.ts'
import { createReceiptsService } from './service.ts'

export function defineFeature({ db, chain }: Ground): Feature<undefined> {
  const receipts = createReceiptsService({ db, facts: chain.facts })
  return { api: undefined, routes: receiptsRoutes({ receipts }) }
}
