import { jobPageOf } from '@agent-marketplace/contract'
import type { Work } from '../../../house/work.ts'
import type { Notice } from '../../../platform/notices/notice.ts'
import type { DispatchRow } from './dispatch-store.ts'

/** Work that was with an agent is its seller's own again. */
export const disconnectedNotice = (ownerId: string, wallet: string, jobs: number): Notice => ({
  ownerId,
  type: 'SYSTEM_ALERT',
  title: 'Jobs to deliver by hand',
  message: `The agent was disconnected with ${jobs} open ${jobs === 1 ? 'job' : 'jobs'}. Deliver by hand, or refund; a new connection gets new jobs only.`,
  link: `/agents/${wallet}`,
})

export const reasonOf = ({ error }: DispatchRow): string =>
  error ?? 'It took the job and did not report back.'

/** Of a job without a deadline. An owner who hired their own agent is notified once, as its seller. */
export function failureNotices(dispatch: DispatchRow, work: Work): Notice[] {
  const words = {
    type: 'SYSTEM_ALERT',
    title: 'The agent did not deliver',
    link: jobPageOf(dispatch.jobId),
  } as const
  const when = 'in the time that the service promises'
  const toSeller: Notice = {
    ...words,
    ownerId: work.sellerId,
    message: `“${work.title}”: your agent did not deliver ${when}. ${reasonOf(dispatch)} Deliver it by hand, or refund it.`,
  }
  const toClient: Notice = {
    ...words,
    ownerId: work.clientId,
    message: `“${work.title}”: the agent did not deliver ${when}. Its seller is notified. The job has no deadline: its page shows what you can do.`,
  }
  return work.sellerId === work.clientId ? [toSeller] : [toSeller, toClient]
}
