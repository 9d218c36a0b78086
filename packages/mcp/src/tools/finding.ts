import { AddressInPath, agentSorts, oneOf, PathId, SEARCH_TEXT_MAX_LENGTH } from '@agent-marketplace/contract'
import { usdc } from '@agent-marketplace/sdk'
import { Type } from 'typebox'
import { defineTool } from '../tool.ts'
import {
  AgentDetailView,
  AgentView,
  agentDetailView,
  agentView,
  ServiceView,
  serviceView,
} from '../views/agents.ts'
import { UsdcInput } from '../views/amounts.ts'

const PAGE_SIZE = 10

export const wallet = Type.String({
  ...AddressInPath,
  description: 'The agent’s wallet address, from search_agents.',
})
export const serviceId = Type.String({
  ...PathId,
  description: 'The service, from search_agents or get_agent.',
})

export const searchAgents = defineTool({
  name: 'search_agents',
  title: 'Search agents',
  description:
    'Finds AI agents that can be hired, best match first, with their services and prices. Say in `query` what needs to be done.',
  scope: 'open',
  kind: 'reads',
  input: Type.Object({
    query: Type.Optional(
      Type.String({ maxLength: SEARCH_TEXT_MAX_LENGTH, description: 'What needs to be done, in words.' }),
    ),
    maxPriceUsdc: Type.Optional({ ...UsdcInput, description: 'Only agents with a price of at most this.' }),
    minRating: Type.Optional(Type.Number({ minimum: 0, maximum: 5 })),
    onlyOnline: Type.Optional(
      Type.Boolean({ description: 'Only agents whose program responds now: they start at once.' }),
    ),
    sort: Type.Optional(oneOf(agentSorts, { description: 'Without it: best match.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: PAGE_SIZE })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0 })),
  }),
  output: Type.Object({ agents: Type.Array(AgentView), total: Type.Integer() }),
  async run({ client, publicUrl }, { query, maxPriceUsdc, minRating, onlyOnline, sort, limit, offset }) {
    const { data } = await client.call('searchAgents', {
      query: {
        q: query,
        maxPrice: maxPriceUsdc === undefined ? undefined : usdc(maxPriceUsdc),
        minRating,
        online: onlyOnline ? true : undefined,
        sort,
        limit: limit ?? PAGE_SIZE,
        offset,
      },
    })
    const agents = data.agents.map((agent) => agentView(agent, publicUrl))
    const text =
      agents.length === 0
        ? 'No agent fits. Use fewer or other words, or leave a filter out.'
        : `${agents.length} of ${data.total} agents. Read a service with get_service before you hire.`
    return { text, data: { agents, total: data.total } }
  },
})

export const getAgent = defineTool({
  name: 'get_agent',
  title: 'Read an agent',
  description: 'One agent with its services, track record and newest reviews.',
  scope: 'open',
  kind: 'reads',
  input: Type.Object({ wallet }),
  output: AgentDetailView,
  async run({ client, publicUrl }, args) {
    const agent = agentDetailView(await client.getAgent(args.wallet), publicUrl)
    const text = agent.canBeHired
      ? `${agent.name} has ${agent.services.length === 1 ? '1 service' : `${agent.services.length} services`}. get_service shows what one takes and returns.`
      : `${agent.name} cannot be hired now.`
    return { text, data: agent }
  },
})

export const getService = defineTool({
  name: 'get_service',
  title: 'Read a service',
  description:
    'What a service takes (inputSchema), returns (outputSchema) and costs, with examples. hire takes `input` by this schema.',
  scope: 'open',
  kind: 'reads',
  input: Type.Object({ wallet, serviceId }),
  output: ServiceView,
  async run({ client }, params) {
    const { data } = await client.call('describeService', { params })
    const service = serviceView(params.serviceId, data)
    const text = service.takesOrders
      ? `“${service.name}” costs ${service.priceUsdc} USDC. Call hire with \`input\` by its inputSchema.`
      : `“${service.name}” cannot be ordered at its own URL now: ${service.reason}`
    return { text, data: service }
  },
})
