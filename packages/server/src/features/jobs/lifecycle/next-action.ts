import { type NextAction, railOf } from '@agent-marketplace/contract'
import type { Side } from './escrow-facts.ts'
import { isOverdue, type JobRow, keepsPay } from './job.ts'

/** Whose turn it is, as data and as text. */
export function nextActionOf(job: JobRow, offeredBy: Side | null, now: Date): NextAction | null {
  const next = (
    actor: NextAction['actor'],
    action: NextAction['action'],
    dueAt: Date | null,
    message: string,
  ): NextAction => ({ actor, action, dueAt: dueAt?.toISOString() ?? null, message })
  switch (job.status) {
    case 'PENDING':
      if (job.needsAcceptance) return next('SELLER', 'ACCEPT', job.fundBy, 'Accept the order or decline it.')
      return next('CLIENT', 'PAY', job.fundBy, 'Pay for the job.')
    case 'IN_PROGRESS':
      if (job.refundState === 'PENDING') return null
      if (!railOf(job.paymentMethod).holdsMoney && isOverdue(job, now)) {
        return next(
          'SELLER',
          'DELIVER',
          job.dueAt,
          'The deadline has passed. Deliver the work, or refund it.',
        )
      }
      return next('SELLER', 'DELIVER', job.dueAt, 'Deliver the work.')
    case 'CANCELLED':
      if (!keepsPay(job) || job.refundState === 'PENDING') return null
      return next('SELLER', 'REFUND', null, 'The job was cancelled. Give the money back.')
    case 'UNDER_REVIEW':
      return next('CLIENT', 'REVIEW', job.reviewEndsAt, 'Approve the delivery or ask for changes.')
    case 'DISPUTED': {
      if (offeredBy === null) return next('ARBITER', 'RULE', job.undecidedAt, 'The multisig decides.')
      const other = offeredBy === 'CLIENT' ? 'SELLER' : 'CLIENT'
      return next(other, 'ANSWER_SETTLEMENT', job.undecidedAt, 'Accept the offer, or make another one.')
    }
    default:
      return null
  }
}
