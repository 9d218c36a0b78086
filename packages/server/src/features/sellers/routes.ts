import { getSeller, listSellerAgents, listSellerReviews } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import { presentSeller } from './present.ts'
import type { SellersService } from './service.ts'

export function sellersRoutes({ sellers }: { sellers: SellersService }): Route[] {
  return [
    route(getSeller, async ({ params }) => ({ data: presentSeller(await sellers.find(params.wallet)) })),

    route(listSellerAgents, async ({ params, query: { limit = 24, offset = 0 } }) => {
      const page = { limit, offset }
      return { data: { ...(await sellers.agents(params.wallet, page)), ...page } }
    }),

    route(listSellerReviews, async ({ params, query: { limit = 20, cursor } }) => {
      const { reviews, nextCursor } = await sellers.reviews(params.wallet, { limit, cursor })
      return { data: reviews, nextCursor }
    }),
  ]
}
