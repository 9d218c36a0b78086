import { askQuestion, listAgentQuestions, replyToQuestion } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Route, route } from '../../platform/http/call.ts'
import { presentQuestion } from './present.ts'
import type { Questions } from './service.ts'

export interface QuestionsRoutesDeps {
  questions: Questions
  /** What everyone may read, from a replica where one is fresh enough. */
  pages: <T>(mustShow: bigint | undefined, read: (on: { db: Queryable }) => Promise<T>) => Promise<T>
}

export function questionsRoutes({ questions, pages }: QuestionsRoutesDeps): Route[] {
  return [
    route(askQuestion, ({ principal: { ownerId }, params, body, transaction }) =>
      transaction(async (tx) => ({
        data: presentQuestion(await questions.ask(tx, params.wallet, ownerId, body.text), ownerId),
      })),
    ),

    route(listAgentQuestions, async ({ params, query: { limit = 20, cursor }, request }) => {
      const viewer = request.facts.principal
      const { rows, nextCursor } = await pages(request.facts.mustShow, ({ db }) =>
        questions.list(db, params.wallet, viewer, { limit, cursor }),
      )
      return { data: rows.map((row) => presentQuestion(row, viewer?.ownerId)), nextCursor }
    }),

    route(replyToQuestion, ({ principal: { ownerId }, params, body, transaction }) =>
      transaction(async (tx) => ({
        data: presentQuestion(await questions.reply(tx, params.id, ownerId, body.text), ownerId),
      })),
    ),
  ]
}
