import {
  createAgent,
  getAgent,
  getAgentCard,
  getAgentImage,
  getAgentRegistrationFile,
  listAgents,
  pauseAgent,
  resumeAgent,
  searchAgents,
  updateAgent,
} from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import { readIdempotencyKey } from '../../platform/http/once/idempotency.ts'
import { presentAgent, presentBothForms, presentCreated, presentSummary } from './reading/present.ts'
import type { AgentsService } from './service.ts'

/** A picture and nothing else, whatever opens it. */
const imageHeaders = {
  'content-type': 'image/svg+xml',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'public, max-age=31536000, immutable',
}

export function agentsRoutes({ agents }: { agents: AgentsService }): Route[] {
  return [
    route(listAgents, async ({ query }) => {
      const { rows, nextCursor } = await agents.list({ ...query, limit: query.limit ?? 20 })
      return { data: rows.map(presentAgent), nextCursor }
    }),

    route(searchAgents, async ({ query }) => {
      const { rows, ...page } = await agents.search(query)
      const names = await agents.businessNamesOf(rows)
      const found = rows.map((row) => presentSummary(row, names.get(row.owner_id) ?? null))
      return { data: { agents: found, ...page } }
    }),

    route(createAgent, async ({ principal, body, request, requestId, transaction }) => {
      const idempotencyKey = readIdempotencyKey(request.headers)
      const attempt = await agents.beginCreation({ ownerId: principal.ownerId, body, idempotencyKey })
      return transaction(async (tx) => presentCreated(await agents.completeCreation(tx, attempt, requestId)))
    }),

    route(getAgent, async ({ params, request }) => {
      const { row, detail } = await agents.detailOf(params.wallet, request.facts.principal)
      return presentBothForms(row, detail)
    }),

    route(updateAgent, async ({ principal, params, body, transaction }) => {
      await agents.prepareUpdate(params.wallet, principal.ownerId, body)
      return transaction(async (tx) => {
        const row = await agents.update(tx, params.wallet, principal.ownerId, body)
        return presentBothForms(row, await agents.privyDetail(tx, row))
      })
    }),

    route(pauseAgent, ({ principal, params, transaction }) =>
      transaction(async (tx) => {
        const row = await agents.pause(tx, params.wallet, principal.ownerId)
        return presentBothForms(row, await agents.privyDetail(tx, row))
      }),
    ),

    route(resumeAgent, ({ principal, params, transaction }) =>
      transaction(async (tx) => {
        const row = await agents.resume(tx, params.wallet, principal.ownerId)
        return presentBothForms(row, await agents.privyDetail(tx, row))
      }),
    ),

    route(getAgentRegistrationFile, ({ params }) => agents.registrationFileOf(params.wallet)),
    route(getAgentImage, async ({ params, reply }) => {
      const svg = await agents.imageOf(params.wallet)
      reply.headers(imageHeaders).send(Buffer.from(svg, 'utf8'))
      return undefined
    }),
    route(getAgentCard, ({ params }) => agents.cardOf(params.wallet)),
  ]
}
