import type { Seller } from '@agent-marketplace/contract'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { presentSeller } from './present.ts'
import { type SellersRoutesDeps, sellersRoutes } from './routes.ts'
import { createSellersService, type SellersDeps } from './service.ts'

interface Deps extends Ground {
  owners: Pick<SellersDeps, 'sellerByWallet'>
  agents: Pick<SellersRoutesDeps, 'pages'>
  reviews: Pick<SellersDeps, 'sellerReviewsOf'>
}

export interface SellersApi {
  /** What is public of a seller; throws where the wallet is no seller's. */
  sellerOf: (wallet: string, mustShow: bigint | undefined) => Promise<Seller>
}

/** The public profile of a seller. */
export function defineFeature({ config, owners, agents, reviews }: Deps): Feature<SellersApi> {
  const sellers = createSellersService({
    cursorSecret: config.sessionSecret,
    sellerByWallet: owners.sellerByWallet,
    sellerReviewsOf: reviews.sellerReviewsOf,
  })
  const sellerOf: SellersApi['sellerOf'] = (wallet, mustShow) =>
    agents.pages(mustShow, async (on) => presentSeller(await sellers.find(on, wallet)))
  return { api: { sellerOf }, routes: sellersRoutes({ sellers, sellerOf, pages: agents.pages }) }
}
