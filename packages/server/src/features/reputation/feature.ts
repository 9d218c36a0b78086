import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { whenHappens } from '../../house/happenings.ts'
import type { OnChainDeps } from './on-chain/deps.ts'
import { feedbackPlaceOf } from './on-chain/documents.ts'
import { feedbackKinds } from './on-chain/kinds.ts'
import { reputationRoutes } from './routes.ts'
import { createReputationService, type ReputationDeps } from './service.ts'

interface Deps extends Ground {
  jobs: Pick<ReputationDeps, 'lockForReview'>
  agents: Pick<ReputationDeps, 'addReviewToTotals' | 'reputationOf'> &
    Pick<OnChainDeps, 'addFeedbackToTotals'> & {
      detailOf: (wallet: string, viewer: undefined) => Promise<{ row: { id: string } }>
    }
}

export function defineFeature(deps: Deps): Feature<undefined> {
  const { db, config, chain, intents, jobs, agents } = deps
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
    intentKinds: feedbackKinds({
      db,
      intents,
      registry: chain.reputation,
      place: feedbackPlaceOf(chain),
      publicUrl,
      addFeedbackToTotals,
    }),
    happenings: [whenHappens('job.paidOut', (tx, { job, by }) => reputation.followPayout(tx, job, by))],
  }
}
