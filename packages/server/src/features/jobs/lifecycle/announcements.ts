import {
  formatUsdcReadable,
  type JobParty,
  jobPageOf,
  type NotificationType,
  type TimelineType,
} from '@agent-marketplace/contract'
import type { Notice, NoticeWords } from '../../../platform/notices/notice.ts'
import type { JobRow } from './job.ts'
import type { Action } from './moves/transitions.ts'

interface Announcement {
  /** Its name on the timeline. */
  event: TimelineType
  notice: NotificationType
  title: string
  message: string
}

/** What is no decision about the job, or is announced by the feature that does it. */
type AnnouncedElsewhere = 'PAY' | 'RULE' | 'REVIEW' | 'REPLY_TO_REVIEW' | 'REPORT_PROGRESS' | 'MESSAGE'

/** How each decision appears on the timeline and in the other side's notification. */
const announcements: Record<Exclude<Action, AnnouncedElsewhere>, Announcement> = {
  CANCEL: said('JOB_CANCELLED', 'JOB_CANCELLED', 'Job cancelled', 'The client has cancelled the job.'),
  ACCEPT: said(
    'JOB_ACCEPTED',
    'JOB_ACCEPTED',
    'Order accepted',
    'The seller has accepted the order. You can pay for it now.',
  ),
  DECLINE: said('JOB_DECLINED', 'JOB_CANCELLED', 'Job declined', 'The seller has declined the job.'),
  EXPIRE: said('JOB_EXPIRED', 'JOB_CANCELLED', 'Job expired', 'The job was not paid in time.'),
  DELIVER: said('JOB_DELIVERED', 'JOB_DELIVERED', 'Work delivered', 'The work has been delivered.'),
  REQUEST_CHANGES: said(
    'CHANGES_REQUESTED',
    'CHANGES_REQUESTED',
    'Changes requested',
    'The client requests changes.',
  ),
  APPROVE: said('JOB_APPROVED', 'JOB_COMPLETED', 'Work approved', 'The client has approved the work.'),
  AUTO_RELEASE: said('REVIEW_ENDED', 'JOB_COMPLETED', 'Review window over', 'The work counts as approved.'),
  REFUND: said('JOB_REFUNDED', 'JOB_CANCELLED', 'Money returned', 'The seller gives the money back.'),
  DISPUTE: said('DISPUTE_OPENED', 'JOB_DISPUTED', 'Dispute opened', 'The other side has opened a dispute.'),
  ADD_EVIDENCE: said(
    'EVIDENCE_ADDED',
    'DISPUTE_UPDATED',
    'New evidence',
    'The other side has added evidence.',
  ),
  OFFER_SETTLEMENT: said(
    'SETTLEMENT_OFFERED',
    'DISPUTE_UPDATED',
    'Settlement offered',
    'The other side offers a settlement.',
  ),
  ACCEPT_SETTLEMENT: said(
    'SETTLEMENT_ACCEPTED',
    'DISPUTE_UPDATED',
    'Settlement accepted',
    'Your offer was accepted.',
  ),
  LAPSE: said(
    'DISPUTE_LAPSED',
    'JOB_CANCELLED',
    'Dispute undecided',
    'Nobody decided the dispute in time; the client is refunded.',
  ),
}
export type AnnouncedAction = keyof typeof announcements

function said(event: TimelineType, notice: NotificationType, title: string, message: string): Announcement {
  return { event, notice, title, message }
}

export const announcementOf = (action: AnnouncedAction): Announcement => announcements[action]

const ownerOf = (job: JobRow, side: 'CLIENT' | 'SELLER') => (side === 'CLIENT' ? job.clientId : job.sellerId)

export function noticeTo(
  job: JobRow,
  side: 'CLIENT' | 'SELLER',
  { type, title, message }: NoticeWords,
): Notice {
  return {
    ownerId: ownerOf(job, side),
    type,
    title,
    message: `“${job.title}”: ${message}`,
    link: jobPageOf(job.id),
  }
}

/** The other side is notified of what one side did; both are notified of what the service or the multisig did. */
export function noticesOf(job: JobRow, actor: JobParty, words: NoticeWords): Notice[] {
  const sides = (['CLIENT', 'SELLER'] as const).filter((side) => side !== actor)
  const notices = sides.map((side) => noticeTo(job, side, words))
  // An owner who hired their own agent is both sides, and is notified once.
  return job.clientId === job.sellerId ? notices.slice(0, 1) : notices
}

/** What comes of a job before it is paid costs its client nothing: many such notices of one client are shown as one. */
export function foldUnpaid(job: JobRow, notice: Notice): Notice {
  if (job.status !== 'PENDING' || notice.ownerId !== job.sellerId) return notice
  return { ...notice, foldKey: `${notice.type}:${job.clientId}` }
}

export const usdc = (amountMicro: bigint): string => `${formatUsdcReadable(amountMicro)} USDC`
