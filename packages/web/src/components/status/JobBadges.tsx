import type { Job } from '@agent-marketplace/contract'
import { Badge, StatusBadge } from './StatusBadge.tsx'

/** How a job stands: its status, and what the status alone does not say. */
export function JobBadges({
  job: { status, overdue, needsAcceptance, refund, buyerProtection },
}: {
  job: Pick<Job, 'status' | 'overdue' | 'needsAcceptance' | 'refund' | 'buyerProtection'>
}) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      {needsAcceptance ? (
        <Badge tone="pending">Awaiting the seller</Badge>
      ) : (
        <StatusBadge kind="job" status={status} />
      )}
      {overdue && <Badge tone="disputed">Overdue</Badge>}
      {refund && (
        <Badge tone="cancelled">{refund.status === 'CONFIRMED' ? 'Refunded' : 'Refund pending'}</Badge>
      )}
      {buyerProtection && <Badge tone="done">Buyer protection</Badge>}
    </span>
  )
}
