import { type AgentSummary, AppError, type SellerReview } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import type { AgentsRecord, KnownSeller } from '../../house/sellers.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { createCursors } from '../../platform/http/cursor.ts'

export interface FoundSeller extends KnownSeller {
  ownerId: string
  sellingSince: Date
  record: AgentsRecord
}

/**
 * Public profiles of sellers. It promises: a wallet is shown only once the chain shows it, as the holder of an
 * agent's token; every figure is a sum of counts that are kept with the agents, so it costs what the agents are, whatever
 * the number of jobs; agents that are not listed are in the sums and not in the list.
 */
export interface SellersDeps {
  cursorSecret: string
  sellerByWallet: (db: Queryable, wallet: string) => Promise<(KnownSeller & { ownerId: string }) | undefined>
  sellerReviewsOf: (
    db: Queryable,
    page: { sellerId: string; after: { createdAt: Date; id: string } | undefined; limit: number },
  ) => Promise<SellerReview[]>
}

/** What is public of agents, and the server that it is read from. */
export interface SellersPages {
  db: Queryable
  recordOf: (ownerId: string) => Promise<AgentsRecord>
  /** The agents that lists show, the oldest first. */
  listedOf: (ownerId: string, page: { limit: number; offset: number }) => Promise<AgentSummary[]>
}

const Place = Type.Object({ createdAt: Type.String(), id: Type.String() })

export function createSellersService({ cursorSecret, sellerByWallet, sellerReviewsOf }: SellersDeps) {
  const cursors = createCursors(Place, { secret: cursorSecret, list: 'seller-reviews' })

  /** The same response for a wallet that sells nothing and for one that the chain does not show yet. */
  async function find({ db, recordOf }: SellersPages, wallet: string): Promise<FoundSeller> {
    const seller = await sellerByWallet(db, wallet)
    const record = seller && (await recordOf(seller.ownerId))
    if (!seller || !record?.firstCreatedAt || record.registeredCount === 0)
      throw new AppError('NOT_FOUND', { message: 'No seller has this wallet address.' })
    return { ...seller, sellingSince: record.firstCreatedAt, record }
  }

  return {
    find,

    async agents(
      pages: SellersPages,
      wallet: string,
      page: { limit: number; offset: number },
    ): Promise<{ agents: AgentSummary[]; total: number }> {
      const { ownerId, record } = await find(pages, wallet)
      return { agents: await pages.listedOf(ownerId, page), total: record.listedCount }
    },

    async reviews(
      pages: SellersPages,
      wallet: string,
      { limit, cursor }: { limit: number; cursor: string | undefined },
    ): Promise<{ reviews: SellerReview[]; nextCursor: string | null }> {
      const list = wallet.toLowerCase()
      const place = cursor === undefined ? undefined : cursors.read(cursor, list)
      const { ownerId: sellerId } = await find(pages, wallet)
      const after = place && { createdAt: new Date(place.createdAt), id: place.id }
      // One more than requested shows whether there is a next page.
      const found = await sellerReviewsOf(pages.db, { sellerId, after, limit: limit + 1 })
      const reviews = found.slice(0, limit)
      const last = reviews.at(-1)
      const hasMore = found.length > limit && last !== undefined
      const nextCursor = hasMore ? cursors.write({ createdAt: last.createdAt, id: last.id }, list) : null
      return { reviews, nextCursor }
    },
  }
}

export type SellersService = ReturnType<typeof createSellersService>
