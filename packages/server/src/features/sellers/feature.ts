import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { type SellersRoutesDeps, sellersRoutes } from './routes.ts'
import { createSellersService, type SellersDeps } from './service.ts'

interface Deps extends Ground {
  owners: Pick<SellersDeps, 'sellerByWallet'>
  agents: Pick<SellersRoutesDeps, 'pages'>
  reviews: Pick<SellersDeps, 'sellerReviewsOf'>
}

/** The public profile of a seller. */
export function defineFeature({ config, owners, agents, reviews }: Deps): Feature<undefined> {
  const sellers = createSellersService({
    cursorSecret: config.sessionSecret,
    sellerByWallet: owners.sellerByWallet,
    sellerReviewsOf: reviews.sellerReviewsOf,
  })
  return { api: undefined, routes: sellersRoutes({ sellers, pages: agents.pages }) }
}
