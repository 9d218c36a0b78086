import type { Review } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import type { BodyOf, MutationOptions } from '../endpoints.ts'
import { exchange } from '../transport/exchange.ts'

/** Replies to a review, once. For sellers. */
export async function replyToReview(
  core: Core,
  jobId: string,
  body: BodyOf<'replyToReview'>,
  options: MutationOptions = {},
): Promise<Review> {
  const { response } = await exchange(core, 'replyToReview', { params: { id: jobId }, body, ...options })
  return response.data
}
