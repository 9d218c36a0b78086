import { resetSandbox } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'

/** Answers first, and only then goes away: the caller must learn that the reset was heard. */
export function sandboxResetRoutes({ reset }: { reset: () => void }): Route[] {
  return [
    route(resetSandbox, async ({ reply }) => {
      reply.raw.once('close', reset)
      return { data: { restarting: true } }
    }),
  ]
}
