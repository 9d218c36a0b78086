import type { Dispute } from '@agent-marketplace/contract'

export type DisputeStatement = Dispute['evidence'][number]

/** What was said in a dispute, in order. Evidence that came with the opening repeats its text, so the two are shown together. */
export function statementsOf({ openedBy, openedAt, reason, evidence }: Dispute): DisputeStatement[] {
  const isOpening = (one: DisputeStatement) => one.createdAt === openedAt && one.reason === reason
  const uris = evidence.filter(isOpening).flatMap((one) => one.uris)
  return [{ by: openedBy, reason, uris, createdAt: openedAt }, ...evidence.filter((one) => !isOpening(one))]
}
