import { IntentRejected, type Intents } from '../../../money/intents/intents.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { ReputationCalls } from '../../../ports/chain/port.ts'
import { findReview, type ReviewRow } from '../store.ts'
import type { OnChainPlace } from './documents.ts'
import { saveDocument } from './store.ts'

export interface OnChainDeps {
  db: Queryable
  intents: Pick<Intents, 'create'>
  registry: ReputationCalls
  /** The chain, the identity registry, and the operator as the one who writes. */
  place: Omit<OnChainPlace, 'onChainAgentId'>
  publicUrl: URL
  addFeedbackToTotals: (tx: Queryable, agentId: string, by?: 1 | -1) => Promise<void>
}

/** What concerns the feedback on one agent happens in its order. */
export const laneOf = ({ agentId }: Pick<ReviewRow, 'agentId'>): string => `feedback:${agentId}`

export async function existingReview(db: Queryable, id: string): Promise<ReviewRow> {
  const review = await findReview(db, id)
  if (!review) throw new IntentRejected(`there is no review ${id}`)
  return review
}

/** Stores a document and returns how the registry names it. */
export async function publish({ db, registry, publicUrl }: OnChainDeps, body: string) {
  const hash = registry.hashOf(body)
  await saveDocument(db, { hash, body })
  return { uri: new URL(`/api/feedback/${hash}`, publicUrl).href, hash }
}
