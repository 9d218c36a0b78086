import { Type } from 'typebox'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { createCursors } from '../../platform/http/cursor.ts'
import { chainHealthOf } from './chain/confirmation.ts'
import { createReplay, type FollowDeps, jobsEventHandlers } from './chain/follow-chain.ts'
import { jobsIntentKinds } from './chain/intent-kinds.ts'
import { jobsInvariants } from './invariants.ts'
import type { FollowPayout } from './lifecycle/decisions.ts'
import { JOB_PURPOSE, jobPaymentPurpose } from './payment/x402-payment.ts'
import type { JobsRoutesDeps } from './payment-routes.ts'
import { jobsRoutes } from './routes.ts'
import { createJobsService, type JobsDeps, type JobsService } from './service.ts'
import { jobsTicks } from './tasks.ts'

interface Deps extends Ground {
  files: Pick<JobsDeps, 'storage' | 'addFileOwner'>
  agents: Pick<FollowDeps, 'addJobToTotals' | 'addDisputeToTotals'>
  reviews: Pick<JobsDeps, 'reviewOf'>
  paid: Pick<JobsRoutesDeps, 'offerFor'> & {
    paidCalls: Pick<JobsRoutesDeps, 'requirePayment'>
    isPaid: (db: Queryable, purpose: string, reference: string) => Promise<boolean>
  }
}

/** Work: from hire to payout and review. */
export function defineFeature(deps: Deps): Feature<JobsService> {
  const { config, chain, money, happenings, files, reviews, paid } = deps
  const { addJobToTotals, addDisputeToTotals } = deps.agents
  const followPayout: FollowPayout = (tx, job, by) => happenings.announce(tx, 'job.paidOut', { job, by })
  const eventHandlers = jobsEventHandlers({
    ...deps,
    addJobToTotals,
    addDisputeToTotals,
    followPayout,
    onAmlFlagged: (tx, flagged) => happenings.announce(tx, 'job.amlFlagged', flagged),
  })
  const jobs = createJobsService({
    ...deps,
    ...files,
    addJobToTotals,
    reviewOf: reviews.reviewOf,
    isPaymentUnderWay: (tx, jobId) => paid.isPaid(tx, JOB_PURPOSE, jobId),
    replayEvents: createReplay(chain.facts.chainId, eventHandlers),
    chainHealth: async () => chainHealthOf(await money.status()),
    cursors: createCursors(Type.Object({ createdAt: Type.String(), id: Type.String() }), {
      secret: config.sessionSecret,
      list: 'jobs',
    }),
    unpaidLimits: config.rateLimitsEnforced ? config.unpaidJobs : { perBuyer: 0, perSeller: 0 },
  })
  const { requirePayment } = paid.paidCalls
  return {
    api: jobs,
    routes: jobsRoutes({ jobs, chain, requirePayment, offerFor: paid.offerFor }),
    intentKinds: jobsIntentKinds({ ...deps, escrow: chain.escrow, reader: chain.reader }),
    eventHandlers,
    paymentPurposes: [jobPaymentPurpose({ ...deps, addJobToTotals, followPayout })],
    ticks: jobsTicks({ ...deps, actions: jobs.actions }),
    invariants: jobsInvariants,
  }
}
