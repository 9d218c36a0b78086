import { Type } from 'typebox'
import { deploymentKind } from '../../house/deployments.ts'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { whenHappens } from '../../house/happenings.ts'
import { JOB_PURPOSE } from '../../house/payments.ts'
import { prepareSteps, type Steps } from '../../house/steps.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { createCursors } from '../../platform/http/cursor.ts'
import { chainHealthOf } from './chain/confirmation.ts'
import { createReplay, type FollowDeps, jobsEventHandlers } from './chain/follow-chain.ts'
import { jobsIntentKinds } from './chain/intent-kinds.ts'
import { jobsInvariants } from './invariants.ts'
import type { FollowPayout } from './lifecycle/decisions.ts'
import { DEPLOY_CLIENT } from './lifecycle/orders.ts'
import type { FollowWork } from './lifecycle/work.ts'
import { jobPaymentPurpose } from './payment/x402-payment.ts'
import type { JobsRoutesDeps } from './payment-routes.ts'
import { createRefundOutcomes } from './recourse/refund-outcomes.ts'
import type { RefundRequest } from './recourse/refunds.ts'
import { jobsRoutes } from './routes.ts'
import { createJobsService, type JobsDeps, type JobsService } from './service.ts'
import { jobsTicks } from './tasks.ts'

interface Deps extends Ground {
  files: Pick<JobsDeps, 'storage' | 'addFileOwner' | 'jobFiles'>
  agents: Pick<FollowDeps, 'addJobToTotals' | 'addDisputeToTotals'> & Pick<JobsDeps, 'followUndelivered'>
  withdrawals: Withdrawals
  budgets: JobsDeps['budgets']
  reviews: Pick<JobsDeps, 'reviewOf'>
  paid: Pick<JobsRoutesDeps, 'offerFor'> & {
    paidCalls: Pick<JobsDeps, 'requirePayment'>
    isPaid: (db: Queryable, purpose: string, reference: string) => Promise<boolean>
  }
}

const JobPosition = Type.Object({
  createdAt: Type.String(),
  id: Type.String(),
  promise: Type.Optional(Type.String()),
})
const JobPlace = Type.Object({ key: Type.String(), id: Type.String() })

/** Transfers from agents' wallets, as refunds need them. */
type RefundedTransfer = Omit<RefundRequest, 'jobId' | 'to'> & { refund: { jobId: string; to: string } }
interface Withdrawals {
  withdraw(transfer: RefundedTransfer): Steps<unknown, { intentId: string }>
}

const refundsBy =
  (withdrawals: Withdrawals): JobsDeps['prepareRefund'] =>
  async ({ jobId, to, ...request }) => {
    const order = await prepareSteps(withdrawals.withdraw({ ...request, refund: { jobId, to } }))
    return async (tx) => ({ intentId: (await order(tx)).intentId })
  }

/** Work: from hire to payout and review. */
export function defineFeature(deps: Deps): Feature<JobsService> {
  const { config, chain, money, happenings, files, reviews, paid } = deps
  const { addJobToTotals, addDisputeToTotals, followUndelivered } = deps.agents
  const followPayout: FollowPayout = (tx, job, by) => happenings.announce(tx, 'job.paidOut', { job, by })
  const followWork: FollowWork = (tx, work) => happenings.announce(tx, 'job.workable', work)
  const eventHandlers = jobsEventHandlers({
    ...deps,
    followWork,
    addJobToTotals,
    addDisputeToTotals,
    followPayout,
    onAmlFlagged: (tx, flagged) => happenings.announce(tx, 'job.amlFlagged', flagged),
  })
  const isPaymentUnderWay: JobsDeps['isPaymentUnderWay'] = (tx, jobId) => paid.isPaid(tx, JOB_PURPOSE, jobId)
  const jobs = createJobsService({
    ...deps,
    ...files,
    addJobToTotals,
    followUndelivered,
    followWork,
    prepareRefund: refundsBy(deps.withdrawals),
    reviewOf: reviews.reviewOf,
    requirePayment: paid.paidCalls.requirePayment,
    isPaymentUnderWay,
    replayEvents: createReplay(chain.facts.chainId, eventHandlers),
    chainHealth: async () => chainHealthOf(await money.status()),
    cursors: createCursors(JobPosition, {
      secret: config.sessionSecret,
      list: 'jobs',
    }),
    listCursors: createCursors(JobPlace, { secret: config.sessionSecret, list: 'listed-jobs' }),
    unpaidLimits: config.rateLimitsEnforced ? config.unpaidJobs : { perBuyer: 0, perSeller: 0 },
  })
  const refundOutcomes = createRefundOutcomes({ ...deps, addJobToTotals, followPayout, followUndelivered })
  return {
    api: jobs,
    routes: jobsRoutes({ jobs, chain, offerFor: paid.offerFor, downloads: deps.downloads }),
    intentKinds: [
      ...jobsIntentKinds({ ...deps, followWork, escrow: chain.escrow, reader: chain.reader }),
      deploymentKind(DEPLOY_CLIENT, chain),
    ],
    eventHandlers,
    paymentPurposes: [
      jobPaymentPurpose({
        ...deps,
        addJobToTotals,
        followPayout,
        followUndelivered,
        followWork,
        reviewOf: reviews.reviewOf,
        isPaymentUnderWay,
      }),
    ],
    ticks: jobsTicks({ ...deps, actions: jobs.actions, followUndelivered }),
    happenings: [
      whenHappens('refund.confirmed', refundOutcomes.confirmed),
      whenHappens('refund.failed', refundOutcomes.failed),
      whenHappens('refund.reopened', refundOutcomes.reopened),
    ],
    invariants: jobsInvariants,
  }
}
