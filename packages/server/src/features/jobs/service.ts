import { type JobDetail, railOf } from '@agent-marketplace/contract'
import { takeSteps } from '../../house/steps.ts'
import type { Intents } from '../../money/intents/intents.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { ChainPort } from '../../ports/chain/port.ts'
import { type ConfirmationDeps, createConfirmations } from './chain/confirmation.ts'
import { createJobsConsole } from './console/console.ts'
import type { JobCursors } from './hiring/cursors.ts'
import { createHiring, type HiringDeps } from './hiring/hiring.ts'
import { createQuotes, type QuoteDeps } from './hiring/quotes.ts'
import { type ActionDeps, type Ask, createActions } from './lifecycle/actions.ts'
import { checkDeliveryBody, checkOutput, type DeliveryBody, type JsonObject } from './lifecycle/agreement.ts'
import { type Caller, isPaymentUnderWay, lockFor, rolesOfCaller, unknownJob } from './lifecycle/decisions.ts'
import type { JobRow } from './lifecycle/job.ts'
import { allowedActionsOf } from './lifecycle/moves/conditions.ts'
import { isHireable } from './lifecycle/rules.ts'
import { isPaidOut } from './lifecycle/timeline-store.ts'
import { findWork } from './lifecycle/work.ts'
import { createMoves } from './moves.ts'
import { createEscrowPayments, type EscrowPaymentDeps } from './payment/escrow-payment.ts'
import { createPaying, type PayingDeps } from './payment/paying.ts'
import { findDetail, type JobDetails } from './reading/detail-store.ts'
import { createListing, type ListingDeps } from './reading/listing.ts'
import { presentDetail, type Viewer } from './reading/present.ts'
import { announceMissedDeadline } from './recourse/missed-deadline.ts'
import { createRefund, type RefundDeps } from './recourse/refunds.ts'
import { createRoomDoor } from './room.ts'

/**
 * Jobs, from hire to payout. It promises: a job moves only as the table of transitions says; every move is stored with
 * its order to the escrow, its timeline and its news, or not at all; money moves at most once, whatever is repeated or
 * raced; and the status follows the chain, also when somebody acts there without the service, and when it reorganises.
 */
export interface JobsDeps
  extends ActionDeps,
    HiringDeps,
    Omit<EscrowPaymentDeps, keyof ActionDeps>,
    Pick<ConfirmationDeps, 'chainHealth'>,
    Pick<ListingDeps, 'searchDb' | 'listCursors'>,
    Pick<PayingDeps, 'requirePayment'>,
    Pick<RefundDeps, 'prepareRefund'> {
  chain: ChainPort
  jobFiles: ActionDeps['jobFiles'] & HiringDeps['jobFiles'] & QuoteDeps['jobFiles']
  intents: Intents
  cursors: JobCursors
  replayEvents: QuoteDeps['replayEvents']
}

/** By whom, and with the budget of their credential. */
interface Cancellation extends Pick<Ask, 'jobId' | 'budget'> {
  ownerId: string
}

export function createJobsService(deps: JobsDeps) {
  const { db } = deps
  const hiring = createHiring(deps)
  const escrowPayments = createEscrowPayments(deps)
  const actions = createActions(deps)
  const { confirm, pendingOf } = createConfirmations(deps)
  const moves = createMoves({ db, actions, refund: createRefund(deps), confirm, detailFor })

  async function detailFor(queryable: Queryable, jobId: string, viewer: Viewer): Promise<JobDetails> {
    const row = await findDetail(queryable, jobId)
    // The same response for a job of others and for one that never was.
    if (!row) throw unknownJob()
    const roles = rolesOfCaller(row, viewer)
    const now = deps.clock.now()
    const mayHaveReview = row.status === 'COMPLETED' || !railOf(row.paymentMethod).holdsMoney
    const review = mayHaveReview ? await deps.reviewOf(queryable, jobId) : null
    const allowed = allowedActionsOf({
      job: row,
      now,
      roles,
      isPaymentUnderWay: await isPaymentUnderWay(queryable, deps, row),
      offeredBy: row.dispute?.offeredBy ?? null,
      isDisputeAsked: false,
      review,
    })
    return {
      ...row,
      pending: await pendingOf(queryable, row),
      review,
      files: await deps.jobFiles.byIds(queryable, [
        ...row.hireFiles,
        ...row.deliveries.flatMap(({ files }) => files),
      ]),
      now,
      allowedActions: isHireable(row) ? allowed : allowed.filter((action) => action !== 'PAY'),
    }
  }

  return {
    ...hiring,
    ...createQuotes(deps, { create: hiring.create, escrowPayments }),
    ...createPaying(deps, escrowPayments),
    ...moves,
    ...createRoomDoor(deps),
    ...createListing(deps),
    actions,
    workOf: findWork,
    /** In a transaction of its own: it locks the job. The tick announces what is not announced here. */
    missDeadline: (jobId: string, why: string): Promise<void> =>
      db.transaction((tx) => announceMissedDeadline(tx, deps, { jobId, now: deps.clock.now(), why })),
    checkDelivery(body: DeliveryBody, outputSchema: JsonObject | null): void {
      checkDeliveryBody(body)
      checkOutput(body, outputSchema ?? undefined)
    },

    detailOf: (jobId: string, viewer: Viewer) => detailFor(db, jobId, viewer),

    /** As its client reads it. */
    async readAsClient(jobId: string, ownerId: string): Promise<JobDetail> {
      const viewer = { ownerId, isAdmin: false }
      return presentDetail(await detailFor(db, jobId, viewer), viewer, deps.chain).b.data.job
    },

    /** By its client, where the table allows it. */
    async cancelAsClient({ jobId, ownerId, budget }: Cancellation): Promise<void> {
      const wish = { jobId, caller: { ownerId, isAdmin: false }, requestId: null, budget }
      await takeSteps(
        db,
        moves.move(wish, (tx) => actions.plain(tx, wish, 'CANCEL')),
      )
    },

    /** The job for a review or a reply, locked; throws where the table does not allow one. */
    lockForReview: async (
      tx: Queryable,
      jobId: string,
      caller: Caller,
      action: 'REVIEW' | 'REPLY_TO_REVIEW',
    ): Promise<JobRow & { isPaidOut: boolean; isDelivered: boolean }> => {
      const { job } = await lockFor(tx, deps, { jobId, action, caller })
      const hasPay = job.refundState !== 'CONFIRMED' && (await isPaidOut(tx, job))
      return { ...job, isPaidOut: hasPay, isDelivered: job.status === 'COMPLETED' }
    },

    /** For admins. */
    console: createJobsConsole(deps),
  }
}

export type JobsService = ReturnType<typeof createJobsService>
