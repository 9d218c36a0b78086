import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { whenHappens } from '../../house/happenings.ts'
import { type FeedbackDeps, feedbackKind } from './feedback.ts'
import { reputationRoutes } from './routes.ts'
import { createReputationService, type ReputationDeps } from './service.ts'

interface Deps extends Ground {
  jobs: Pick<ReputationDeps, 'lockForReview'>
  agents: Pick<ReputationDeps, 'addReviewToTotals' | 'reputationOf'> &
    Pick<FeedbackDeps, 'addFeedbackToTotals'> & {
      detailOf: (wallet: string, viewer: undefined) => Promise<{ row: { id: string } }>
    }
}

export function defineFeature(deps: Deps): Feature<undefined> {
  const { db, config, chain, jobs, agents } = deps
  const reputation = createReputationService({
    ...deps,
    lockForReview: jobs.lockForReview,
    addReviewToTotals: agents.addReviewToTotals,
    reputationOf: agents.reputationOf,
    agentIdOf: async (wallet) => (await agents.detailOf(wallet, undefined)).row.id,
  })
  const { publicUrl } = config
  const { addFeedbackToTotals } = agents
  return {
    api: undefined,
    routes: reputationRoutes({ reputation }),
    intentKinds: [feedbackKind({ db, registry: chain.reputation, publicUrl, addFeedbackToTotals })],
    happenings: [whenHappens('job.paidOut', (tx, { job, by }) => reputation.followPayout(tx, job, by))],
  }
}
