import type { Review } from '@agent-marketplace/contract'
import { Badge } from './StatusBadge.tsx'

/** What sets a review apart: the work never came, or the money went back. */
export function ReviewMarks({ review: { kind, refunded } }: { review: Pick<Review, 'kind' | 'refunded'> }) {
  return (
    <>
      {kind === 'NOT_DELIVERED' && <Badge tone="disputed">Paid, not delivered</Badge>}
      {refunded && <Badge tone="cancelled">Refunded</Badge>}
    </>
  )
}
