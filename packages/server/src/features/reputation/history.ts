import type { AgentDetail, Review, SellerReview } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { presentReview } from './present.ts'
import { findReviewOf, listNewestReviews, listPortfolios, listSellerReviews } from './store.ts'

export { historyVersion } from './store.ts'

/** What other features show of reviews. */

export async function reviewOf(db: Queryable, jobId: string): Promise<Review | null> {
  const row = await findReviewOf(db, jobId)
  return row ? presentReview(row) : null
}

/** The ten newest reviews of each of these agents. */
export async function reviewsOf(db: Queryable, agentIds: string[]): Promise<Map<string, Review[]>> {
  const reviews = new Map<string, Review[]>(agentIds.map((id) => [id, []]))
  for (const row of await listNewestReviews(db, agentIds)) reviews.get(row.agentId)?.push(presentReview(row))
  return reviews
}

/** Reviews of all agents of a seller, newest first, after a place in that order. */
export async function sellerReviewsOf(
  db: Queryable,
  page: Parameters<typeof listSellerReviews>[1],
): Promise<SellerReview[]> {
  const rows = await listSellerReviews(db, page)
  return rows.map(({ agentWallet, agentName, ...row }) => ({ ...presentReview(row), agentWallet, agentName }))
}

/** The ten newest completed jobs of each of these agents that others rated with 4 or 5. */
export const portfoliosOf: (
  db: Queryable,
  agentIds: string[],
) => Promise<Map<string, AgentDetail['portfolio']>> = listPortfolios
