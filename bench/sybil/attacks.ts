import { KYC_FEE_MICRO, MICRO_PER_USDC } from '@agent-marketplace/contract'
import { type Agent, copyOf, deal, MARKET, type Market } from './market.ts'

/** How an attacker gets the money back to the wallets that pay. */
export type Route = 'directly' | 'over one wallet' | 'over two wallets' | 'through an exchange'

export interface Attack {
  name: string
  /** `jobs` is how often somebody pays; at most `wallets` pay. Returns what was burned in fees. */
  run(market: Market, agent: Agent, plan: Plan): bigint
}

export interface Plan {
  jobs: number
  priceMicro: bigint
  route: Route
}

export const attacker: Agent = { id: 'attacker', owner: 'attackers-owner', category: 0, quality: 1 }
const lastDay = MARKET.days - 1

/** A market with the attacker in it, and what the attack burned. */
export function under(market: Market, attack: Attack, plan: Plan): { market: Market; burnedMicro: bigint } {
  const attacked = copyOf(market)
  attacked.agents.push(attacker)
  return { market: attacked, burnedMicro: attack.run(attacked, attacker, plan) }
}

const fresh = (market: Market, id: string, sinceDay = lastDay): string => {
  if (!market.buyers.has(id)) market.buyers.set(id, { id, isVerified: false, sinceDay, exchange: '' })
  return id
}

/** The seller's money goes to the wallet that pays next; the service sees the ends that it knows. */
function fund(market: Market, from: string, to: string, { priceMicro, route }: Plan): void {
  const hops = {
    directly: [from, to],
    'over one wallet': [from, `${to}-hop`, to],
    'over two wallets': [from, `${to}-hop-1`, `${to}-hop-2`, to],
    'through an exchange': [from, 'exchange-0', to],
  }[route]
  for (const [index, hop] of hops.entries()) {
    const next = hops[index + 1]
    // Between two wallets that neither sell nor buy nothing is seen.
    const isSeen = [from, to].includes(hop) || next === to
    if (next !== undefined && isSeen) {
      market.flows.push({ from: hop, to: next, amountMicro: priceMicro, isPay: false })
    }
  }
}

const payBy =
  (walletCount: number, dayOf: (job: number, plan: Plan) => number): Attack['run'] =>
  (market, agent, plan) => {
    let burnedMicro = 0n
    for (let job = 0; job < plan.jobs; job += 1) {
      const buyer = fresh(market, `sybil-${job % walletCount}`, dayOf(job % walletCount, plan))
      fund(market, agent.owner, buyer, plan)
      burnedMicro += deal(market, {
        agent,
        buyer,
        day: dayOf(job, plan),
        priceMicro: plan.priceMicro,
        rating: 5,
      })
    }
    return burnedMicro
  }

const today = () => lastDay

export const attacks: Attack[] = [
  { name: 'self-hire, one wallet', run: payBy(1, today) },
  { name: 'self-hire, 50 wallets', run: payBy(50, today) },
  {
    name: 'ring of 10 sellers',
    run(market, agent, plan) {
      const ring = [agent.owner, ...Array.from({ length: 9 }, (_, index) => `ring-${index}`)]
      const agents = ring.map((owner, index) =>
        index === 0 ? agent : { ...agent, id: `ring-agent-${index}`, owner },
      )
      market.agents.push(...agents.slice(1))
      for (const owner of ring) {
        market.buyers.set(owner, { id: owner, isVerified: true, sinceDay: lastDay, exchange: '' })
      }
      // Sellers are verified, and have paid for it; the attacker would have had to anyway.
      let burnedMicro = 9n * KYC_FEE_MICRO
      // Each buys from the others in turn. Only what is paid to the agent that is to rise counts as its price.
      for (let job = 0; job < plan.jobs; job += 1) {
        const buyer = ring[1 + (job % 9)] ?? ''
        fund(market, agent.owner, buyer, plan)
        const given = { day: lastDay, priceMicro: plan.priceMicro, rating: 5 }
        burnedMicro += deal(market, { ...given, agent, buyer })
        const next = agents[1 + ((job + 1) % 9)]
        if (next && job < 27) {
          burnedMicro += deal(market, { ...given, agent: next, buyer, priceMicro: MICRO_PER_USDC })
        }
      }
      return burnedMicro
    },
  },
  {
    name: 'money in a circle',
    run(market, agent, plan) {
      const circle = ['circle-0', 'circle-1', 'circle-2']
      let burnedMicro = 0n
      for (let job = 0; job < plan.jobs; job += 1) {
        const buyer = fresh(market, circle[job % 3] ?? '')
        const other = circle[(job + 1) % 3] ?? ''
        fund(market, agent.owner, other, plan)
        market.flows.push({ from: other, to: buyer, amountMicro: plan.priceMicro, isPay: false })
        burnedMicro += deal(market, { agent, buyer, day: lastDay, priceMicro: plan.priceMicro, rating: 5 })
      }
      return burnedMicro
    },
  },
  {
    name: 'bought aged wallets (50)',
    run(market, agent, plan) {
      let burnedMicro = 0n
      for (let job = 0; job < plan.jobs; job += 1) {
        const id = `aged-${job % 50}`
        const isNew = !market.buyers.has(id)
        const buyer = fresh(market, id, 0)
        for (const paid of isNew ? market.agents.slice(0, 2) : []) {
          deal(market, { agent: paid, buyer, day: 1, priceMicro: MICRO_PER_USDC, rating: null })
        }
        fund(market, agent.owner, buyer, plan)
        burnedMicro += deal(market, { agent, buyer, day: lastDay, priceMicro: plan.priceMicro, rating: 5 })
      }
      return burnedMicro
    },
  },
  {
    name: 'slow drip, 50 wallets',
    run: payBy(50, (job, { jobs }) => Math.floor((job * MARKET.days) / Math.max(jobs, 1))),
  },
]

/** Reviews with one star for somebody else's agent. What they pay is the rival's to keep. */
export function bomb(
  market: Market,
  rival: Agent,
  { wallets, priceMicro }: { wallets: number; priceMicro: bigint },
): { market: Market; burnedMicro: bigint; givenMicro: bigint } {
  const bombed = copyOf(market)
  let burnedMicro = 0n
  for (let wallet = 0; wallet < wallets; wallet += 1) {
    const buyer = fresh(bombed, `bomber-${wallet}`)
    burnedMicro += deal(bombed, { agent: rival, buyer, day: lastDay, priceMicro, rating: 1 })
  }
  return { market: bombed, burnedMicro, givenMicro: BigInt(wallets) * priceMicro - burnedMicro }
}
