import { resetSandbox } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'

/** Responds first and only then shuts down, so that the caller knows the reset was accepted. */
export function sandboxResetRoutes({ reset }: { reset: () => void }): Route[] {
  return [
    route(resetSandbox, async ({ reply }) => {
      reply.raw.once('close', reset)
      return { data: { restarting: true } }
    }),
  ]
}
