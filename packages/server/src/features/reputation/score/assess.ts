import {
  type Exclusion,
  MIN_COUNTED_MICRO,
  type WeighedScore,
  weigh,
} from '@agent-marketplace/contract/rating'
import { type Buyer, type Flow, findConnections } from '../graph/connections.ts'

/** A job of the agent that was paid for, and its review. */
export interface PaidJob {
  id: string
  buyer: string
  /** The names under which the buyer paid. */
  parties: readonly string[]
  priceMicro: bigint
  feeMicro: bigint
  /** With one's own agent, or paid by the seller's side. */
  isOwn: boolean
  isPaidOut: boolean
  /** The seller sent exactly its price back. */
  isReturned: boolean
  /** The review says "not delivered", and the work came within the time that the seller had promised. */
  isDisproven: boolean
  review: { id: string; rating: number; ageDays: number } | null
}

export interface KnownBuyer {
  isVerified: boolean
  ageDays: number
  otherSellers: number
}

/** All that is known about one agent. */
export interface AgentBooks {
  seller: string
  jobs: readonly PaidJob[]
  buyers: ReadonlyMap<string, KnownBuyer>
  flows: readonly Flow[]
  isPublic: (party: string) => boolean
}

export interface Assessment {
  /** By job: why it does not count, or null. */
  exclusions: Map<string, Exclusion | null>
  score: WeighedScore
}

const stranger: KnownBuyer = { isVerified: false, ageDays: 0, otherSellers: 0 }

/** What an agent's jobs are worth, each of them and all together. */
export function assess({ seller, jobs, buyers, flows, isPublic }: AgentBooks): Assessment {
  const connections = findConnections({ seller, buyers: payingBuyers(jobs), flows, isPublic })
  const exclusions = new Map(
    jobs.map((job) => [job.id, ownExclusionOf(job) ?? connections.exclusions.get(job.buyer) ?? null]),
  )
  const score = weigh(
    jobs.flatMap(({ id, buyer, feeMicro, isDisproven, review }) => {
      if (review === null) return []
      const facts = { ...(buyers.get(buyer) ?? stranger), cluster: connections.clusters.get(buyer) ?? buyer }
      const exclusion = exclusions.get(id) ?? (isDisproven ? 'DELIVERED_IN_TIME' : null)
      return [{ ...review, feeMicro, exclusion, buyer: facts }]
    }),
  )
  return { exclusions, score }
}

/** What follows from the job alone, before connections are considered. */
function ownExclusionOf(job: PaidJob): Exclusion | undefined {
  if (job.isOwn) return 'OWN_AGENT'
  if (!job.isPaidOut) return 'NOT_PAID_OUT'
  if (job.priceMicro < MIN_COUNTED_MICRO) return 'BELOW_MINIMUM'
  return job.isReturned ? 'MONEY_CAME_BACK' : undefined
}

function payingBuyers(jobs: readonly PaidJob[]): Map<string, Buyer> {
  const buyers = new Map<string, Buyer>()
  for (const { buyer, parties, priceMicro, isOwn } of jobs) {
    if (isOwn) continue
    const known = buyers.get(buyer)
    buyers.set(buyer, {
      parties: [...new Set([...(known?.parties ?? []), ...parties])],
      paidMicro: (known?.paidMicro ?? 0n) + priceMicro,
    })
  }
  return buyers
}
