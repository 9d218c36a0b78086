import { getEngine, listDeadLetters, resumeEngine, retryDeadLetter } from '@agent-marketplace/contract'
import { respondInSteps } from '../../../house/steps.ts'
import { type Route, route } from '../../../platform/http/call.ts'
import { actorOf } from '../actor.ts'
import { presentDeadLetter } from '../present.ts'
import type { AdminService } from '../service.ts'

export function operationRoutes({ operations }: Pick<AdminService, 'operations'>): Route[] {
  return [
    route(listDeadLetters, async ({ query: { limit = 50, cursor } }) => {
      const { letters, nextCursor } = await operations.listDeadLetters({ limit, cursor })
      return { data: letters.map(presentDeadLetter), nextCursor }
    }),
    route(retryDeadLetter, (call) =>
      call.transaction(async (tx) => {
        const order = { actor: actorOf(call), subjectId: call.params.id }
        return { data: presentDeadLetter(await operations.retryDeadLetter(tx, order)) }
      }),
    ),
    route(getEngine, async () => ({ data: await operations.engineStatus() })),
    route(resumeEngine, (call) => {
      const steps = operations.resumeEngine({ actor: actorOf(call), reason: call.body.reason.trim() })
      return respondInSteps(call, steps, (data) => ({ data }))
    }),
  ]
}
