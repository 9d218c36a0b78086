import {
  acceptJob,
  acceptSettlement,
  addDisputeEvidence,
  approveJob,
  cancelJob,
  declineJob,
  deliverJob,
  getJob,
  listJobs,
  openDispute,
  proposeSettlement,
  refundJob,
  requestJobChanges,
} from '@agent-marketplace/contract'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type ResponseOf, type Route, route, WithStatus } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { Ask } from './lifecycle/actions.ts'
import type { JobRow } from './lifecycle/job.ts'
import { orderIn } from './lifecycle/orders.ts'
import { type JobsRoutesDeps, paymentRoutes } from './payment-routes.ts'
import { presentDetail, presentListed } from './reading/present.ts'

type JobResponse = ResponseOf<typeof getJob>
interface JobCall {
  principal: Principal
  params: { id: string }
  requestId: string
  transaction(work: (tx: Transaction) => Promise<JobResponse>): Promise<JobResponse | WithStatus<JobResponse>>
}

export function jobsRoutes(deps: JobsRoutesDeps): Route[] {
  const { jobs, chain } = deps
  const { actions } = jobs
  const askOf = ({ principal, params, requestId }: Omit<JobCall, 'transaction'>): Ask => ({
    jobId: params.id,
    caller: principal,
    requestId,
  })

  /**
   * Decides in one transaction. A decision that can be overtaken before it reaches the chain is waited for, and the
   * response is a 202 while nobody knows.
   */
  const move = async (call: JobCall, work: (tx: Transaction, ask: Ask) => Promise<JobRow>) => {
    const { principal } = call
    const jobId = call.params.id
    let order: string | undefined
    const decided = await call.transaction(async (tx) => {
      order = orderIn(await work(tx, askOf(call)))
      return presentDetail(await jobs.detailFor(tx, jobId, principal), principal, chain)
    })
    const confirmation = await jobs.confirm(jobId, order)
    if (confirmation === 'DECIDED' && !(order === undefined && wasClaim(decided))) return decided
    const isConfirmed = confirmation !== 'PENDING'
    const now = presentDetail(await jobs.detailOf(jobId, principal), principal, chain, { isConfirmed })
    return isConfirmed ? now : new WithStatus(202, now)
  }

  /** From the agent's wallet: the job changes when the chain has the transfer. */
  const refund = async (call: JobCall, reason: string | undefined) => {
    const { principal } = call
    const jobId = call.params.id
    const order = await jobs.refunds.prepare(askOf(call))
    let intentId: string | undefined
    await call.transaction(async (tx) => {
      const started = await jobs.refunds.start(tx, askOf(call), order, reason)
      intentId = started.intentId
      return presentDetail(await jobs.detailFor(tx, jobId, principal), principal, chain)
    })
    const isConfirmed = await jobs.refunds.confirm(jobId, intentId)
    const now = presentDetail(await jobs.detailOf(jobId, principal), principal, chain)
    return isConfirmed ? now : new WithStatus(202, now)
  }

  return [
    ...paymentRoutes(deps),

    route(listJobs, async ({ principal, query }) => {
      const { role, status, agentId, limit = 20, cursor } = query
      const filter = { ownerId: principal.ownerId, role, status, agentId }
      const page = await jobs.list(filter, { limit, cursor })
      return {
        data: page.jobs.map((job) => presentListed(job, principal, page.now)),
        nextCursor: page.nextCursor,
      }
    }),

    route(getJob, async ({ principal, params }) =>
      presentDetail(await jobs.detailOf(params.id, principal), principal, chain),
    ),

    route(deliverJob, async (call) => {
      const delivery = await actions.storeDelivery(askOf(call), call.body)
      return move(call, (tx, ask) => actions.deliver(tx, ask, delivery))
    }),
    route(approveJob, (call) => move(call, (tx, ask) => actions.plain(tx, ask, 'APPROVE'))),
    route(requestJobChanges, (call) =>
      move(call, (tx, ask) => actions.requestChanges(tx, ask, call.body.reason)),
    ),
    route(cancelJob, (call) => move(call, (tx, ask) => actions.plain(tx, ask, 'CANCEL', call.body.reason))),
    route(declineJob, (call) => move(call, (tx, ask) => actions.plain(tx, ask, 'DECLINE', call.body.reason))),
    route(acceptJob, (call) => move(call, (tx, ask) => actions.accept(tx, ask))),
    route(refundJob, async (call) => {
      const { job } = await jobs.find(call.params.id, call.principal)
      if (job.payment_method === 'X402') return refund(call, call.body.reason)
      return move(call, (tx, ask) => actions.plain(tx, ask, 'REFUND', call.body.reason))
    }),
    route(openDispute, (call) => move(call, (tx, ask) => actions.dispute(tx, ask, call.body))),
    route(addDisputeEvidence, (call) => move(call, (tx, ask) => actions.addEvidence(tx, ask, call.body))),
    route(proposeSettlement, (call) =>
      move(call, (tx, ask) => actions.offerSettlement(tx, ask, call.body.sellerBps)),
    ),
    route(acceptSettlement, (call) => move(call, (tx, ask) => actions.acceptSettlement(tx, ask))),
  ]
}

/** Whether the response of the first call left a claim open: a repeated one says what became of it. */
function wasClaim(response: JobResponse | WithStatus<JobResponse>): boolean {
  const { a } = response instanceof WithStatus ? response.value : response
  return a.data.pending?.action === 'DISPUTE' || a.data.pending?.action === 'CANCEL'
}
