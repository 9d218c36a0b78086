import type { Intents } from '../../../money/intents/intents.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { ReviewRow } from '../store.ts'
import { feedbackIntent } from './feedback.ts'
import { revocationIntent } from './revocation-intent.ts'
import { findReviewedWork } from './store.ts'

/** What counts now is written to the chain, and what no longer counts is revoked there. */
export async function followCounted(
  tx: Transaction,
  { intents }: { intents: Pick<Intents, 'create'> },
  review: ReviewRow,
  requestId: string | null,
): Promise<void> {
  const { agentWallet } = await findReviewedWork(tx, review.jobId)
  const intent = review.counted ? feedbackIntent(review, agentWallet, requestId) : revocationIntent(review)
  if (intent) await intents.create(tx, intent)
}
