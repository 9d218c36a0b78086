import {
  type Flow,
  PUBLIC_COVERS_PERCENT,
  PUBLIC_FROM_SELLERS,
  PUBLIC_PAID_MICRO,
} from '../../packages/server/src/features/reputation/graph/connections.ts'
import { assess, type PaidJob } from '../../packages/server/src/features/reputation/score/assess.ts'
import { type Agent, type Deal, MARKET, type Market } from './market.ts'

export interface Ranked {
  agent: Agent
  score: number
  /** The plain average of the reviews that count. */
  average: number
  weight: number
  counted: number
  reviews: number
  /** Reviews of jobs through escrow that count. */
  escrowReviews: number
}

/** All agents by the score that the service gives them, best first, on the last day of the market. */
export function rank(market: Market): Ranked[] {
  const index = indexOf(market)
  return market.agents
    .map((agent) => rankOne(market, index, agent))
    .toSorted((a, b) => b.score - a.score || a.agent.id.localeCompare(b.agent.id))
}

export interface Index {
  dealsOf: Map<string, Deal[]>
  /** By buyer: what went to each seller. */
  paidBy: Map<string, Map<string, bigint>>
  incoming: Map<string, Flow[]>
  outgoing: Map<string, Flow[]>
  publicParties: Set<string>
}

export function indexOf({ agents, deals, flows }: Market): Index {
  const ownerOf = new Map(agents.map(({ id, owner }) => [id, owner]))
  const dealsOf = new Map<string, Deal[]>()
  const paidBy: Index['paidBy'] = new Map()
  const incoming = new Map<string, Flow[]>()
  const outgoing = new Map<string, Flow[]>()
  const keep = (flows: Map<string, Flow[]>, party: string, flow: Flow) => {
    const known = flows.get(party)
    if (known) known.push(flow)
    else flows.set(party, [flow])
  }
  const receive = (flow: Flow) => {
    keep(incoming, flow.to, flow)
    keep(outgoing, flow.from, flow)
  }
  for (const deal of deals) {
    const known = dealsOf.get(deal.agent)
    if (known) known.push(deal)
    else dealsOf.set(deal.agent, [deal])
    const seller = ownerOf.get(deal.agent) ?? ''
    const paid = paidBy.get(deal.buyer) ?? new Map<string, bigint>()
    paidBy.set(deal.buyer, paid.set(seller, (paid.get(seller) ?? 0n) + deal.priceMicro))
    // What a buyer earned as a seller is money of those who paid it.
    receive({ from: deal.buyer, to: seller, amountMicro: deal.priceMicro - deal.feeMicro, isPay: true })
  }
  for (const flow of flows) receive(flow)
  return { dealsOf, paidBy, incoming, outgoing, publicParties: findPublic(flows, paidBy) }
}

/** As the service finds them; see `PUBLIC_FROM_SELLERS`. */
function findPublic(flows: readonly Flow[], paidBy: Index['paidBy']): Set<string> {
  const funded = new Map<string, Map<string, bigint>>()
  for (const { from, to, amountMicro } of flows) {
    const buyers = funded.get(from) ?? new Map<string, bigint>()
    funded.set(from, buyers.set(to, (buyers.get(to) ?? 0n) + amountMicro))
  }
  const isPublic = (buyers: ReadonlyMap<string, bigint>): boolean => {
    const reached = new Map<string, bigint>()
    for (const [buyer, amountMicro] of buyers) {
      const paid = [...(paidBy.get(buyer) ?? [])]
      const totalMicro = paid.reduce((sum, [, priceMicro]) => sum + priceMicro, 0n)
      if (amountMicro * 100n < totalMicro * PUBLIC_COVERS_PERCENT) continue
      for (const [seller, priceMicro] of paid) reached.set(seller, (reached.get(seller) ?? 0n) + priceMicro)
    }
    return [...reached.values()].filter((sum) => sum >= PUBLIC_PAID_MICRO).length >= PUBLIC_FROM_SELLERS
  }
  return new Set([...funded].flatMap(([party, buyers]) => (isPublic(buyers) ? [party] : [])))
}

export function rankOne(market: Market, index: Index, agent: Agent): Ranked {
  const deals = index.dealsOf.get(agent.id) ?? []
  const buyers = new Set(deals.map(({ buyer }) => buyer))
  const knownBuyers = new Map(
    [...buyers].map((buyer) => {
      const facts = market.buyers.get(buyer)
      const sellers = index.paidBy.get(buyer) ?? new Map<string, bigint>()
      return [
        buyer,
        {
          isVerified: facts?.isVerified ?? false,
          ageDays: MARKET.days - (facts?.sinceDay ?? MARKET.days),
          otherSellers: sellers.size - (sellers.has(agent.owner) ? 1 : 0),
        },
      ]
    }),
  )
  const jobs = deals.map(
    ({ id, buyer, priceMicro, feeMicro, rating, day }): PaidJob => ({
      id,
      buyer,
      parties: [buyer],
      priceMicro,
      feeMicro,
      isOwn: buyer === agent.owner,
      isPaidOut: true,
      isReturned: false,
      isDisproven: false,
      review: rating === null ? null : { id, rating, ageDays: MARKET.days - day },
    }),
  )
  const { score } = assess({
    seller: agent.owner,
    jobs,
    buyers: knownBuyers,
    flows: flowsAround(index, agent, buyers),
    isPublic: (party) => index.publicParties.has(party),
  })
  const fees = new Map(deals.map(({ id, feeMicro }) => [id, feeMicro]))
  const counted = score.reviews.filter((review) => review.counted)
  return {
    agent,
    score: score.score,
    average: counted.reduce((sum, { rating }) => sum + rating, 0) / Math.max(1, counted.length),
    weight: score.weight,
    counted: counted.length,
    reviews: score.reviews.length,
    escrowReviews: counted.filter(({ id }) => (fees.get(id) ?? 0n) > 0n).length,
  }
}

/** As far as the service looks: what reached the buyers and one step before, and what the seller got and gave. */
function flowsAround(index: Index, agent: Agent, buyers: ReadonlySet<string>): Flow[] {
  const toSeller = (index.incoming.get(agent.owner) ?? []).filter(({ isPay }) => !isPay)
  const toBuyers = [...buyers]
    .filter((buyer) => buyer !== agent.owner)
    .flatMap((buyer) => index.incoming.get(buyer) ?? [])
  const funders = new Set(toBuyers.map(({ from }) => from).filter((from) => !index.publicParties.has(from)))
  const fromSeller = (index.outgoing.get(agent.owner) ?? []).filter(({ to }) => !buyers.has(to))
  const before = [...funders]
    .filter((funder) => !buyers.has(funder) && funder !== agent.owner)
    .flatMap((funder) => index.incoming.get(funder) ?? [])
    .filter(({ from }) => from !== agent.owner)
  return [...toSeller, ...toBuyers, ...fromSeller, ...before]
}
