import { listJobMessages, listJobProgress, reportProgress, sendJobMessage } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import type { Messages } from './messages.ts'
import { presentMessage, presentProgress } from './present.ts'
import type { Progress } from './progress.ts'

export function jobRoomRoutes({ progress, messages }: { progress: Progress; messages: Messages }): Route[] {
  return [
    route(reportProgress, ({ principal, params, body, transaction }) =>
      transaction(async (tx) => ({
        data: presentProgress(await progress.report(tx, params.id, principal, body)),
      })),
    ),

    route(listJobProgress, async ({ principal, params, query: { limit = 50, cursor } }) => {
      const { rows, nextCursor } = await progress.list(principal, { jobId: params.id, limit, cursor })
      return { data: rows.map(presentProgress), nextCursor }
    }),

    route(sendJobMessage, ({ principal, params, body, transaction }) =>
      transaction(async (tx) => ({
        data: presentMessage(await messages.send(tx, params.id, principal, body)),
      })),
    ),

    route(listJobMessages, async ({ principal, params, query: { limit = 50, cursor } }) => {
      const { rows, nextCursor } = await messages.list(principal, { jobId: params.id, limit, cursor })
      return { data: rows.map(presentMessage), nextCursor }
    }),
  ]
}
