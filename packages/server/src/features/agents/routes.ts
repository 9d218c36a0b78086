import {
  createAgent,
  getAgent,
  getAgentIdentity,
  getAgentImage,
  getAgentRegistrationFile,
  listAgents,
  pauseAgent,
  prepareAgentWallet,
  resumeAgent,
  searchAgents,
  updateAgent,
} from '@agent-marketplace/contract'
import { respondInSteps } from '../../house/steps.ts'
import { type Route, route } from '../../platform/http/call.ts'
import { readIdempotencyKey } from '../../platform/http/once/idempotency.ts'
import { presentAgent, presentBothForms, presentCreated } from './reading/present.ts'
import type { AgentsService } from './service.ts'

/** A picture and nothing else, whatever opens it. */
const imageHeaders = {
  'content-type': 'image/svg+xml',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'public, max-age=31536000, immutable',
}

export function agentsRoutes({ agents, chainId }: { agents: AgentsService; chainId: number }): Route[] {
  return [
    route(listAgents, ({ query, request }) =>
      agents.pages(request.facts.mustShow, async ({ list }) => {
        const { rows, nextCursor } = await list({ ...query, limit: query.limit ?? 20 })
        return { data: rows.map(presentAgent), nextCursor }
      }),
    ),

    route(searchAgents, ({ query, request }) =>
      agents.pages(request.facts.mustShow, async ({ search, summariesOf }) => {
        const { rows, ...page } = await search(query)
        return { data: { agents: await summariesOf(rows), ...page } }
      }),
    ),

    route(createAgent, (call) => {
      const { principal, body, request, requestId } = call
      const idempotencyKey = readIdempotencyKey(request.headers)
      const steps = agents.create({ ownerId: principal.ownerId, body, idempotencyKey, requestId })
      return respondInSteps(call, steps, presentCreated)
    }),

    route(getAgent, ({ params, wanted, write, request: { facts } }) =>
      agents.pages(facts.mustShow, async ({ detailOf, publicPageOf }) => {
        if (!facts.principal) return publicPageOf(params.wallet, wanted, write)
        const { row, detail } = await detailOf(params.wallet, facts.principal)
        return presentBothForms(row, detail)
      }),
    ),

    route(updateAgent, (call) => {
      const { principal, params, body } = call
      const steps = agents.update(params.wallet, principal.ownerId, body)
      return respondInSteps(call, steps, async (row, tx) =>
        presentBothForms(row, await agents.privyDetail(tx, row)),
      )
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

    route(getAgentRegistrationFile, ({ params, request: { facts } }) =>
      agents.pages(facts.mustShow, ({ registrationFileOf }) => registrationFileOf(params.wallet)),
    ),
    route(getAgentImage, async ({ params, request: { facts }, reply }) => {
      const svg = await agents.pages(facts.mustShow, ({ imageOf }) => imageOf(params.wallet))
      reply.headers(imageHeaders).send(Buffer.from(svg, 'utf8'))
      return undefined
    }),
    route(getAgentIdentity, async ({ params, principal }) => ({
      data: await agents.identityOf(params.wallet, principal.ownerId),
    })),
    // No stored response: each has a signature of its own, which lasts for minutes.
    route(prepareAgentWallet, async ({ params, principal }) => {
      const { identity, prepared } = await agents.prepareWallet(params.wallet, principal.ownerId)
      if (!prepared || identity.tokenOwner === null)
        return { data: { identity, transaction: null, validUntil: null } }
      const { call, validUntil } = prepared
      const transaction = { chainId, from: identity.tokenOwner, to: call.to, data: call.data }
      return { data: { identity, transaction, validUntil: validUntil.toISOString() } }
    }),
  ]
}
