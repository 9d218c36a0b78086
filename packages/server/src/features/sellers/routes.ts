import { getSeller, listSellerAgents, listSellerReviews, type Seller } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import type { SellersPages, SellersService } from './service.ts'

export interface SellersRoutesDeps {
  sellers: SellersService
  sellerOf: (wallet: string, mustShow: bigint | undefined) => Promise<Seller>
  /** Reads on a server that shows what the caller has written. */
  pages: <T>(mustShow: bigint | undefined, read: (pages: SellersPages) => Promise<T>) => Promise<T>
}

export function sellersRoutes({ sellers, sellerOf, pages }: SellersRoutesDeps): Route[] {
  return [
    route(getSeller, async ({ params, request }) => ({
      data: await sellerOf(params.wallet, request.facts.mustShow),
    })),

    route(listSellerAgents, ({ params, query: { limit = 24, offset = 0 }, request }) =>
      pages(request.facts.mustShow, async (on) => {
        const page = { limit, offset }
        return { data: { ...(await sellers.agents(on, params.wallet, page)), ...page } }
      }),
    ),

    route(listSellerReviews, ({ params, query: { limit = 20, cursor }, request }) =>
      pages(request.facts.mustShow, async (on) => {
        const { reviews, nextCursor } = await sellers.reviews(on, params.wallet, { limit, cursor })
        return { data: reviews, nextCursor }
      }),
    ),
  ]
}
