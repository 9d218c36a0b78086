import type { OwnAgent } from '@agent-marketplace/contract'

/** The orders of one's own agents, the usual one first. */
export const agentOrders = {
  oldest: 'Oldest first',
  newest: 'Newest first',
  name: 'Name',
  rating: 'Best rated',
  jobs: 'Most jobs',
  price: 'Highest price',
} as const
export type AgentOrder = keyof typeof agentOrders

/** An order that there is not is the usual one. */
export const parseAgentOrder = (value: string | undefined): AgentOrder =>
  value !== undefined && Object.hasOwn(agentOrders, value) ? (value as AgentOrder) : 'oldest'

const compare: Record<
  Exclude<AgentOrder, 'oldest' | 'newest'>,
  (one: OwnAgent, other: OwnAgent) => number
> = {
  name: (one, other) => one.name.localeCompare(other.name, 'en'),
  rating: (one, other) => other.averageRating - one.averageRating,
  jobs: (one, other) => other.totalJobs - one.totalJobs,
  price: (one, other) => Number(BigInt(other.hourlyRateUsdc) - BigInt(one.hourlyRateUsdc)),
}

/** Those that have every word. All of one's own agents are there already, as the service sends them: oldest first. */
export function findAgents(agents: readonly OwnAgent[], q: string, order: AgentOrder): readonly OwnAgent[] {
  const words = q.toLowerCase().split(/\s+/)
  const found = agents.filter(({ name, category, walletAddress }) => {
    const text = `${name} ${category} ${walletAddress}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  if (order === 'oldest') return found
  return order === 'newest' ? found.toReversed() : found.toSorted(compare[order])
}
