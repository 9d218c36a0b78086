import {
  acceptJob,
  acceptSettlement,
  addDisputeEvidence,
  approveJob,
  cancelJob,
  declineJob,
  deliverJob,
  exportJobs,
  getJob,
  jobStatuses,
  listJobs,
  openDispute,
  proposeSettlement,
  refundJob,
  requestJobChanges,
} from '@agent-marketplace/contract'
import { respondFromChain } from '../../house/steps.ts'
import { wordsOf } from '../../platform/db/search-words.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type Call, type ResponseOf, type Route, route } from '../../platform/http/call.ts'
import type { JobRow } from './lifecycle/job.ts'
import type { Move, MovedJob, Wish } from './moves.ts'
import { type JobsRoutesDeps, paymentRoutes } from './payment-routes.ts'
import { jobCellsFor, jobsHeader } from './reading/csv.ts'
import type { JobFilter } from './reading/list-store.ts'
import { presentDetail, presentListed } from './reading/present.ts'

type JobResponse = ResponseOf<typeof getJob>
type JobCall = Pick<Call<typeof approveJob>, 'principal' | 'params' | 'requestId' | 'transaction'>

export function jobsRoutes(deps: JobsRoutesDeps): Route[] {
  const { jobs, chain, downloads } = deps
  const { actions } = jobs
  const wishOf = ({ principal, params, requestId }: JobCall): Wish => ({
    jobId: params.id,
    caller: principal,
    requestId,
    budget: principal.budget,
  })

  const respond = (call: JobCall, steps: Move) => {
    const present = ({ details, isConfirmed }: MovedJob) =>
      presentDetail(details, call.principal, chain, { isConfirmed })
    return respondFromChain(call, steps, present, isOutdated)
  }

  const move = (call: JobCall, work: (tx: Transaction, wish: Wish) => Promise<JobRow>) => {
    const wish = wishOf(call)
    return respond(
      call,
      jobs.move(wish, (tx) => work(tx, wish)),
    )
  }

  return [
    ...paymentRoutes(deps),

    route(listJobs, async ({ principal, query }) => {
      const { sort = 'newest', limit = 20, cursor } = query
      const page = await jobs.list(filterOf(principal, query), { sort, limit, cursor })
      return {
        data: page.jobs.map((job) => presentListed(job, principal, page.now)),
        nextCursor: page.nextCursor,
      }
    }),

    route(exportJobs, async ({ principal, query, reply }) => {
      await downloads.send(reply, principal.ownerId, {
        name: 'jobs.csv',
        header: jobsHeader,
        batches: jobs.exportInBatches(filterOf(principal, query)),
        cellsOf: jobCellsFor(principal.ownerId),
      })
      return undefined
    }),

    route(getJob, async ({ principal, params }) =>
      presentDetail(await jobs.detailOf(params.id, principal), principal, chain),
    ),

    route(deliverJob, (call) => respond(call, jobs.deliver(wishOf(call), call.body))),
    route(approveJob, (call) => move(call, (tx, wish) => actions.plain(tx, wish, 'APPROVE'))),
    route(requestJobChanges, (call) =>
      move(call, (tx, wish) => actions.requestChanges(tx, wish, call.body.reason)),
    ),
    route(cancelJob, (call) => move(call, (tx, wish) => actions.plain(tx, wish, 'CANCEL', call.body.reason))),
    route(declineJob, (call) =>
      move(call, (tx, wish) => actions.plain(tx, wish, 'DECLINE', call.body.reason)),
    ),
    route(acceptJob, (call) => move(call, (tx, wish) => actions.accept(tx, wish))),
    route(refundJob, async (call) => respond(call, await jobs.refund(wishOf(call), call.body.reason))),
    route(openDispute, (call) => move(call, (tx, wish) => actions.dispute(tx, wish, call.body))),
    route(addDisputeEvidence, (call) => move(call, (tx, wish) => actions.addEvidence(tx, wish, call.body))),
    route(proposeSettlement, (call) =>
      move(call, (tx, wish) => actions.offerSettlement(tx, wish, call.body.sellerBps)),
    ),
    route(acceptSettlement, (call) => move(call, (tx, wish) => actions.acceptSettlement(tx, wish))),
  ]
}

function filterOf(
  { ownerId }: Call<typeof exportJobs>['principal'],
  { role, status, statuses, agentId, q }: Call<typeof exportJobs>['query'],
): JobFilter {
  const named = statuses?.split(',')
  return {
    ownerId,
    role,
    status,
    ...(named && { statuses: jobStatuses.filter((known) => named.includes(known)) }),
    agentId,
    words: wordsOf(q),
  }
}

/** A kept response that left a claim open: a repeated one says what became of it. */
function isOutdated({ a }: JobResponse, moved: MovedJob | undefined): boolean {
  const action = a.data.pending?.action
  return moved?.order === undefined && (action === 'DISPUTE' || action === 'CANCEL')
}
