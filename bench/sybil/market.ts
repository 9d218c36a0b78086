import { paymentMethodFor, splitPrice } from '@agent-marketplace/contract'
import type { Flow } from '../../packages/server/src/features/reputation/graph/connections.ts'
import { createRandom, type Random } from './random.ts'

export interface Buyer {
  id: string
  isVerified: boolean
  /** The day of the first payment to anybody. */
  sinceDay: number
  /** The exchange that the money comes from. */
  exchange: string
}

export interface Agent {
  id: string
  owner: string
  category: number
  quality: number
}

export interface Deal {
  id: string
  agent: string
  buyer: string
  day: number
  priceMicro: bigint
  feeMicro: bigint
  /** Null where the buyer left no review. */
  rating: number | null
}

/** Everything that the service can see of a market. */
export interface Market {
  agents: Agent[]
  buyers: Map<string, Buyer>
  deals: Deal[]
  /** Transfers outside of jobs with an end at a buyer or a seller. */
  flows: Flow[]
}

export const MARKET = {
  buyers: 2_000,
  agents: 200,
  categories: 8,
  days: 365,
  exchanges: 4,
  jobsPerBuyer: 10,
  reviewShare: 0.6,
  verifiedShare: 0.3,
  /** Sellers who also hire others. */
  hiringSellers: 60,
  medianPriceUsdc: 80,
}

/** A year of honest life: few agents have most of the work, most are good, some are not. */
export function honestMarket(seed: number): { market: Market; random: Random } {
  const random = createRandom(seed)
  const agents: Agent[] = Array.from({ length: MARKET.agents }, (_, index) => ({
    id: `agent-${index}`,
    owner: `seller-${index}`,
    category: random.below(MARKET.categories),
    // Skewed: most between 4 and 5, a tail down to 2.
    quality: Math.max(2, 4.95 - Math.abs(random.normal()) * 0.55 - (random.chance(0.08) ? 1.2 : 0)),
  }))
  const popularity = agents.map(({ quality }, index) => (quality / 5) ** 6 / (index + 3) ** 0.9)
  const cumulative = runningSum(popularity)
  const market: Market = { agents, buyers: new Map(), deals: [], flows: [] }
  const buyerIds = [
    ...Array.from({ length: MARKET.buyers }, (_, index) => `buyer-${index}`),
    ...agents.slice(0, MARKET.hiringSellers).map(({ owner }) => owner),
  ]
  for (const id of buyerIds) {
    const sinceDay = random.below(MARKET.days - 5)
    const exchange = `exchange-${random.below(MARKET.exchanges)}`
    const isSeller = id.startsWith('seller')
    market.buyers.set(id, {
      id,
      isVerified: isSeller || random.chance(MARKET.verifiedShare),
      sinceDay,
      exchange,
    })
    const jobs = 1 + Math.floor(-Math.log(1 - random.next()) * (MARKET.jobsPerBuyer - 0.5))
    for (let job = 0; job < jobs; job += 1) {
      const agent = agents[random.weighted(cumulative)]
      if (agent === undefined || agent.owner === id) continue
      const day = job === 0 ? sinceDay : sinceDay + random.below(MARKET.days - sinceDay)
      const price = MARKET.medianPriceUsdc * Math.exp(random.normal() * 1.1)
      deal(market, {
        agent,
        buyer: id,
        day,
        priceMicro: BigInt(Math.max(500_000, Math.round(price * 1e6))),
        rating: random.chance(MARKET.reviewShare) ? starsOf(agent.quality, random) : null,
      })
    }
  }
  for (const agent of agents) {
    const exchange = `exchange-${random.below(MARKET.exchanges)}`
    market.flows.push({
      from: agent.owner,
      to: exchange,
      amountMicro: earnedBy(market, agent.id),
      isPay: false,
    })
  }
  return { market, random }
}

/** One job, paid and done; the buyer's money came from their exchange. */
export function deal(
  market: Market,
  given: { agent: Agent; buyer: string; day: number; priceMicro: bigint; rating: number | null },
): bigint {
  const { agent, buyer, day, priceMicro, rating } = given
  const { feeMicro } = splitPrice(priceMicro, paymentMethodFor(priceMicro))
  const id = `deal-${market.deals.length}`
  market.deals.push({ id, agent: agent.id, buyer, day, priceMicro, feeMicro, rating })
  const exchange = market.buyers.get(buyer)?.exchange
  if (exchange !== undefined && exchange !== '') {
    market.flows.push({ from: exchange, to: buyer, amountMicro: priceMicro, isPay: false })
  }
  return feeMicro
}

export function earnedBy({ deals }: Market, agentId: string): bigint {
  return deals.reduce(
    (sum, { agent, priceMicro, feeMicro }) => (agent === agentId ? sum + priceMicro - feeMicro : sum),
    0n,
  )
}

export function starsOf(quality: number, random: Random): number {
  return Math.min(5, Math.max(1, Math.round(quality + random.normal() * 0.7)))
}

export function copyOf({ agents, buyers, deals, flows }: Market): Market {
  return { agents: [...agents], buyers: new Map(buyers), deals: [...deals], flows: [...flows] }
}

function runningSum(values: readonly number[]): number[] {
  let sum = 0
  return values.map((value) => {
    sum += value
    return sum
  })
}
