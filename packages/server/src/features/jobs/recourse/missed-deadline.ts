import { railOf } from '@agent-marketplace/contract'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Notice } from '../../../platform/notices/notice.ts'
import { noticeTo } from '../lifecycle/announcements.ts'
import type { DecisionDeps } from '../lifecycle/decisions.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { lockJob, saveJob } from '../lifecycle/store.ts'
import { insertEvent } from '../lifecycle/timeline-store.ts'

export interface MissedDeadline {
  jobId: string
  now: Date
  /** Why a connected agent did not deliver, for its seller; null where that is unknown. */
  why: string | null
}

/** Announces that a deadline has passed, unless that has been done: each party gets one notice. */
export async function announceMissedDeadline(
  tx: Transaction,
  { newId, notify }: Pick<DecisionDeps, 'newId' | 'notify'>,
  { jobId, now, why }: MissedDeadline,
): Promise<void> {
  const job = await lockJob(tx, jobId)
  if (job?.status !== 'IN_PROGRESS' || job.deadlineTold || job.dueAt === null || job.dueAt > now) return
  const { message, notices } = missedDeadlineOf(job, why)
  await saveJob(tx, { ...job, deadlineTold: true })
  await insertEvent(tx, { id: newId(), jobId, type: 'DEADLINE_MISSED', actor: 'PLATFORM', message, at: now })
  await notify(tx, ...notices)
}

const PASSED = 'The deadline has passed.'

/** The escrow lets a client claim the money a day later. Of an x402 job the seller has it, and is asked to act. */
function missedDeadlineOf(job: JobRow, why: string | null): { message: string; notices: Notice[] } {
  const passed = why === null ? PASSED : `${PASSED} ${why}`
  if (railOf(job.paymentMethod).holdsMoney) {
    const words = { type: 'SYSTEM_ALERT', title: 'Deadline missed' } as const
    const next = 'From 24 hours after it the client may cancel.'
    return {
      message: `${PASSED} ${next}`,
      notices: toBoth(
        job,
        noticeTo(job, 'SELLER', { ...words, message: `${passed} ${next}` }),
        noticeTo(job, 'CLIENT', { ...words, message: `${PASSED} ${next}` }),
      ),
    }
  }
  const words = { type: 'JOB_OVERDUE', title: 'Job overdue' } as const
  const toSeller = `${passed} Deliver the work, or give the money back at once.`
  const toClient = `${PASSED} You can cancel the job and review it.`
  return {
    message: `${PASSED} The seller can still deliver or refund; the client may cancel and review.`,
    notices: toBoth(
      job,
      noticeTo(job, 'SELLER', { ...words, message: toSeller }),
      noticeTo(job, 'CLIENT', { ...words, message: toClient }),
    ),
  }
}

/** An owner who hired their own agent is notified once, as its seller. */
const toBoth = (job: JobRow, toSeller: Notice, toClient: Notice): Notice[] =>
  job.clientId === job.sellerId ? [toSeller] : [toSeller, toClient]
