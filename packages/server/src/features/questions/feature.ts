import type { AgentQuestion } from '@agent-marketplace/contract'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { presentQuestion } from './present.ts'
import { type QuestionsRoutesDeps, questionsRoutes } from './routes.ts'
import { createQuestions, type QuestionsDeps } from './service.ts'

interface Deps extends Ground {
  agents: Pick<QuestionsDeps, 'agentOf'> & Pick<QuestionsRoutesDeps, 'pages'>
}

interface Api {
  hideQuestion(
    tx: Transaction,
    questionId: string,
    hiding: { ownerId: string; reason: string },
  ): Promise<AgentQuestion>
}

/** What buyers ask before they hire, and the seller's one reply. */
export function defineFeature({ agents, ...ground }: Deps): Feature<Api> {
  const { agentOf, pages } = agents
  const questions = createQuestions({ ...ground, cursorSecret: ground.config.sessionSecret, agentOf })
  return {
    api: {
      hideQuestion: async (tx, questionId, { ownerId, reason }) =>
        presentQuestion(await questions.hide(tx, questionId, reason), ownerId),
    },
    routes: questionsRoutes({ questions, pages }),
  }
}
