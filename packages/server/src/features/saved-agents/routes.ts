import { listSavedAgents, saveAgent, unsaveAgent } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import type { SavedAgents } from './service.ts'

export function savedAgentsRoutes({ savedAgents }: { savedAgents: SavedAgents }): Route[] {
  return [
    route(listSavedAgents, async ({ principal: { ownerId }, query: { limit = 24, offset = 0 } }) => {
      const page = { limit, offset }
      return { data: { ...(await savedAgents.list(ownerId, page)), ...page } }
    }),

    route(saveAgent, ({ principal: { ownerId }, params, transaction }) =>
      transaction(async (tx) => ({ data: await savedAgents.save(tx, ownerId, params.wallet) })),
    ),

    route(unsaveAgent, ({ principal: { ownerId }, params, transaction }) =>
      transaction(async (tx) => ({
        data: { removed: await savedAgents.remove(tx, ownerId, params.wallet) },
      })),
    ),
  ]
}
