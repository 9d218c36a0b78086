import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { whenHappens } from '../../house/happenings.ts'
import { flowHandler } from './graph/flows.ts'
import { reputationInvariants } from './invariants.ts'
import type { OnChainDeps } from './on-chain/deps.ts'
import { feedbackPlaceOf } from './on-chain/documents.ts'
import { feedbackKinds } from './on-chain/kinds.ts'
import { type ReputationRoutesDeps, reputationRoutes } from './routes.ts'
import { createScores, type ScoresDeps } from './score/scores.ts'
import { createReputationService, type ReputationDeps } from './service.ts'

const SCORING_SECONDS = 5
const AGEING_SECONDS = 600

interface Deps extends Ground {
  jobs: Pick<ReputationDeps, 'lockForReview'>
  agents: Pick<ReputationRoutesDeps, 'pages'> &
    Pick<OnChainDeps, 'addFeedbackToTotals'> &
    Pick<ScoresDeps, 'addJobToTotals' | 'addPaymentToTotals'>
}

export function defineFeature(deps: Deps): Feature<undefined> {
  const { db, config, chain, intents, jobs, agents } = deps
  const { addJobToTotals, addPaymentToTotals } = agents
  const scores = createScores({ ...deps, addJobToTotals, addPaymentToTotals })
  const reputation = createReputationService({
    ...deps,
    lockForReview: jobs.lockForReview,
    score: scores.score,
  })
  const { publicUrl } = config
  const { addFeedbackToTotals } = agents
  return {
    api: undefined,
    routes: reputationRoutes({ reputation, pages: agents.pages }),
    intentKinds: feedbackKinds({
      db,
      intents,
      registry: chain.reputation,
      place: feedbackPlaceOf(chain),
      publicUrl,
      addFeedbackToTotals,
    }),
    eventHandlers: [flowHandler(chain)],
    happenings: [whenHappens('job.paidOut', (tx, { job }) => reputation.followPayout(tx, job))],
    ticks: [
      { name: 'scores', seconds: SCORING_SECONDS, handler: scores.runDue },
      { name: 'scores-ageing', seconds: AGEING_SECONDS, handler: scores.makeOldDue },
    ],
    invariants: reputationInvariants,
  }
}
