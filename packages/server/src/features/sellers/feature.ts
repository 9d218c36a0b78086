import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { sellersRoutes } from './routes.ts'
import { createSellersService, type SellersDeps } from './service.ts'

interface Deps extends Ground {
  owners: Pick<SellersDeps, 'sellerByWallet'>
  agents: Pick<SellersDeps, 'recordOf' | 'listedOf'>
  reviews: Pick<SellersDeps, 'sellerReviewsOf'>
}

/** The public profile of a seller. */
export function defineFeature({ db, config, owners, agents, reviews }: Deps): Feature<undefined> {
  const sellers = createSellersService({
    db,
    cursorSecret: config.sessionSecret,
    sellerByWallet: owners.sellerByWallet,
    recordOf: agents.recordOf,
    listedOf: agents.listedOf,
    sellerReviewsOf: reviews.sellerReviewsOf,
  })
  return { api: undefined, routes: sellersRoutes({ sellers }) }
}
