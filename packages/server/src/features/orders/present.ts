import type { JobDetail, Order } from '@agent-marketplace/contract'
import { orderTokenOf } from './rules.ts'

export interface OrderPlace {
  publicUrl: URL
  secret: string
}

export const jobUrlOf = (publicUrl: URL, jobId: string): string =>
  new URL(`/api/orders/${jobId}`, publicUrl).href

/** Closed, for a call that has shown no more than the chain does: it learns where the order is, and can sign in there. */
export function presentOrder(
  job: JobDetail,
  { isOpen, hasToken }: { isOpen: boolean; hasToken: boolean },
  { publicUrl, secret }: OrderPlace,
): Order {
  const url = jobUrlOf(publicUrl, job.id)
  const { agent, delivery } = job
  return {
    jobId: job.id,
    status: job.status,
    url,
    token: isOpen && hasToken ? orderTokenOf(job.id, secret) : null,
    agent: { name: agent.name, walletAddress: agent.walletAddress },
    serviceId: job.serviceId,
    price: job.agreedPrice,
    dueAt: job.deadlineAt,
    overdue: job.overdue,
    message: messageOf(job),
    result:
      delivery && isOpen
        ? {
            output: delivery.output,
            text: delivery.output === null ? delivery.content : null,
            note: delivery.note,
            cid: delivery.cid,
            files: delivery.files.map((file) => ({ ...file, url: `${url}/files/${file.id}` })),
            deliveredAt: delivery.deliveredAt,
          }
        : null,
    refund: job.refund,
  }
}

/** What went wrong, and what the buyer can do. */
function messageOf({ id, overdue, status, timeline }: JobDetail): string | null {
  if (overdue) {
    return (
      'The deadline has passed. The agent can still deliver, or give the money back. To cancel, sign in with the wallet that paid ' +
      `(POST /api/auth/request-nonce) and send POST /api/jobs/${id}/cancel; POST /api/jobs/${id}/review says to others that it was not delivered.`
    )
  }
  if (status !== 'CANCELLED') return null
  const unpaid = timeline.find(({ type }) => type === 'JOB_EXPIRED')
  return unpaid ? (unpaid.message ?? 'The order was not paid.') : null
}

/** Nothing more will happen by itself. */
export const isOver = ({ status }: Pick<JobDetail, 'status'>): boolean =>
  status !== 'PENDING' && status !== 'IN_PROGRESS'
