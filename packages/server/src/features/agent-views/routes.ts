import { getFunnel, recordAgentView } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import { presentFunnel } from './present.ts'
import type { AgentViews } from './service.ts'

export function agentViewsRoutes({ agentViews }: { agentViews: AgentViews }): Route[] {
  return [
    route(recordAgentView, async ({ params, body, request }) => {
      const { facts, headers } = request
      await agentViews.record({
        wallet: params.wallet,
        part: body.part,
        ownerId: facts.identified?.ownerId,
        clientAddress: facts.clientAddress,
        userAgent: headers['user-agent'],
      })
      return { data: { received: true } }
    }),

    route(getFunnel, async ({ principal, query }) =>
      presentFunnel(await agentViews.funnelOf(principal.ownerId, query)),
    ),
  ]
}
