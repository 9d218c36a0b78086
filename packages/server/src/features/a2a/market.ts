import { type Message, Role } from '@a2a-js/sdk'
import { type AgentSummary, formatUsdcReadable, SEARCH_TEXT_MAX_LENGTH } from '@agent-marketplace/contract'
import type { NewId } from '../../platform/id/id.ts'
import type { Caller } from './caller.ts'
import { dataPart, textPart } from './tasks/parts.ts'

const SHOWN_AGENTS = 10

export interface MarketPages {
  findSummaries: (query: { q: string; limit: number }) => Promise<AgentSummary[]>
}

export interface MarketDeps {
  publicUrl: URL
  newId: NewId
  /** Agents are read from a replica where one is fresh enough. */
  pages: <T>(mustShow: bigint | undefined, read: (on: MarketPages) => Promise<T>) => Promise<T>
}

/** The marketplace's own response to a message: the agents that can do what it describes. */
export function createMarket({ publicUrl, newId, pages }: MarketDeps) {
  return async (
    text: string,
    { contextId }: Message,
    { mustShow }: Pick<Caller, 'mustShow'>,
  ): Promise<Message> => {
    const query = { q: text.slice(0, SEARCH_TEXT_MAX_LENGTH), limit: SHOWN_AGENTS }
    const agents = await pages(mustShow, ({ findSummaries }) => findSummaries(query))
    const cardOf = (wallet: string) => new URL(`/api/agents/${wallet}/agent-card.json`, publicUrl).href
    const found = agents.map(({ name, walletAddress, services }) => ({
      name,
      agent: walletAddress,
      card: cardOf(walletAddress),
      services: services.map((service) => ({
        serviceId: service.id,
        name: service.name,
        price: service.priceUSDC,
      })),
    }))
    const lines = found.map(({ name, agent, services }) => {
      const offers = services.map(
        (service) =>
          `${service.name} (${service.serviceId}) for ${formatUsdcReadable(BigInt(service.price))} USDC`,
      )
      return `- ${name} (${agent}): ${offers.join('; ') || 'custom orders'}`
    })
    const head = lines.length === 0 ? 'No agent was found.' : 'These agents can do it:'
    const how =
      lines.length === 0 ? [] : ['To hire one, send the task with metadata.agent and metadata.serviceId.']
    return {
      messageId: newId(),
      contextId: contextId === '' ? newId() : contextId,
      taskId: '',
      role: Role.ROLE_AGENT,
      parts: [textPart([head, ...lines, ...how].join('\n')), dataPart({ agents: found })],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    }
  }
}
