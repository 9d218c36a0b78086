import { railOf } from '@agent-marketplace/contract'
import { type CastSeller, sellers } from './catalogue/sellers.ts'
import type { DemoService } from './catalogue/trade.ts'
import { createRandom, type Random } from './random.ts'
import { LAST_SLOT, SLOT_COUNT, SLOT_SECONDS } from './span.ts'
import { consoleDeck, type PastStory, pastDeck, presentDeck, type Story, type StoryStep } from './stories.ts'
import { type PlannedVisit, planVisits } from './visits.ts'

/** Everything that will happen, decided before anything does: the same for the same number of agents. */
export interface DemoPlan {
  /** Seconds from the beginning to each slot, ascending. */
  slotSeconds: readonly number[]
  agents: readonly PlannedAgent[]
  buyers: readonly PlannedBuyer[]
  jobs: readonly PlannedJob[]
  withdrawals: readonly PlannedWithdrawal[]
  visits: readonly PlannedVisit[]
}

export interface PlannedAgent extends CastSeller {
  joinSlot: number
}

export interface PlannedBuyer {
  /** What it spends in the story. */
  spendsMicro: bigint
}

export interface PlannedJob extends Story {
  /** Positions in the lists of the plan. */
  agent: number
  buyer: number
  title: string
  description: string
  category: string
  /** The name of what is ordered, at its list price. */
  service: string
  /** Where the service asks for it. */
  input?: unknown
  priceMicro: bigint
}

/** A seller takes out a share of what is there by then. */
export interface PlannedWithdrawal {
  slot: number
  agent: number
  percent: number
}

const SEED = 0x5eed_0012
const MICRO = 1_000_000n

export const MAX_DEMO_AGENTS = sellers.length

export function planDemo(agentCount: number): DemoPlan {
  const random = createRandom(SEED)
  const agents = sellers.slice(0, agentCount).map((seller, index) => ({
    ...seller,
    // Most are there from the beginning, the others join over the first half.
    joinSlot: index < agentCount * 0.6 ? random.between(0, 1) : random.between(2, SLOT_COUNT / 2),
  }))
  const buyerCount = Math.max(3, Math.ceil(agentCount * 0.4))
  const jobs = planJobs(random, agents, buyerCount)
  const slotSeconds = Array.from({ length: SLOT_COUNT }, (_, slot) => secondsOf(slot, random))
  return {
    slotSeconds,
    agents,
    buyers: Array.from({ length: buyerCount }, (_, buyer) => ({ spendsMicro: spendingOf(buyer, jobs) })),
    jobs,
    withdrawals: planWithdrawals(random, agentCount),
    visits: planVisits(random, agents, jobs, slotSeconds),
  }
}

/**
 * Somewhere within the slot, so that not everybody lives by the same clock; near the end of the last one, so that what
 * waits for its payment today has nearly a day left to wait.
 */
function secondsOf(slot: number, random: Random): number {
  const earliest = slot === LAST_SLOT ? SLOT_SECONDS - 3 * 3600 : 5 * 60
  return slot * SLOT_SECONDS + random.between(earliest, SLOT_SECONDS - 30 * 60)
}

/** Time moves by up to four days at once, which is longer than most services promise to take. */
const DEADLINE_HOURS = 120

function planJobs(random: Random, agents: readonly PlannedAgent[], buyerCount: number): PlannedJob[] {
  const write = ({ tell, slots }: PastStory, agentIndex: number, buyer: number): PlannedJob[] => {
    const agent = agents[agentIndex]
    if (!agent) return []
    const subject = random.pick(agent.trade.subjects)
    const slot = random.between(agent.joinSlot + 1, LAST_SLOT - slots)
    const delivery = fill(random.pick(agent.trade.deliveries), subject)
    const story = tell({ random, slot, delivery })
    const service = railOf(story.rail).holdsMoney ? agent.large : agent.small
    return [
      {
        deadlineHours: DEADLINE_HOURS,
        ...story,
        steps: story.steps.map((step) => deliverBySchema(step, service)),
        agent: agentIndex,
        buyer,
        title: `${service.name}: ${subject}`,
        description: fill(random.pick(agent.trade.briefs), subject),
        category: agent.trade.category,
        service: service.name,
        ...(exampleOf(service) && { input: exampleOf(service)?.input }),
        priceMicro: story.priceMicro ?? BigInt(service.price) * MICRO,
      },
    ]
  }

  const present = presentDeck.flatMap((tell, index) => {
    const story = { tell, slots: 0 }
    // The newcomer's buyer and seller meet in the first three, and the buyer has the dispute with somebody else.
    if (index < 3) return write(story, 0, 0)
    return write(story, 1 + (index % (agents.length - 1)), index === 3 ? 0 : index % buyerCount)
  })
  const deals = Math.max(1, Math.round(agents.length * 0.125))
  const past = Array.from({ length: deals }, () => random.shuffle(pastDeck))
    .flat()
    .flatMap((story) => write(story, popular(random, agents.length), frequent(random, buyerCount)))
  const decided = consoleDeck.flatMap((tell, index) =>
    write({ tell, slots: 0 }, Math.min(1 + index, agents.length - 1), 1 + (index % (buyerCount - 1))),
  )
  return [...past, ...present, ...decided]
}

/** The newcomer's seller is well known; of the others, the early ones are hired more often: the smaller of two throws. */
function popular(random: Random, agentCount: number): number {
  if (random.chance(0.15)) return 0
  return Math.min(random.between(0, agentCount - 1), random.between(0, agentCount - 1))
}

/** The newcomer's buyer comes often, the others alike. */
function frequent(random: Random, buyerCount: number): number {
  return random.chance(0.1) ? 0 : random.between(0, buyerCount - 1)
}

/** A service with an input schema is ordered as its own example shows. */
const exampleOf = ({ terms }: DemoService) => terms?.examples?.[0]

/** And one with an output schema delivers what the example does: text would be rejected. */
function deliverBySchema(step: StoryStep, service: DemoService): StoryStep {
  if (step.by === 'admin' || step.verb !== 'deliver' || service.terms?.outputSchema === undefined) return step
  return { ...step, body: { output: exampleOf(service)?.output } }
}

function spendingOf(buyer: number, jobs: readonly PlannedJob[]): bigint {
  return jobs
    .filter((job) => job.isPaid && job.buyer === buyer)
    .reduce((sum, { priceMicro }) => sum + priceMicro, 0n)
}

function planWithdrawals(random: Random, agentCount: number): PlannedWithdrawal[] {
  return Array.from({ length: agentCount }, (_, agent) => agent)
    .filter((agent) => agent === 0 || random.chance(0.4))
    .flatMap((agent) => [
      { agent, slot: Math.floor(SLOT_COUNT * 0.6) + random.between(0, 3), percent: 80 },
      { agent, slot: LAST_SLOT - random.between(1, 4), percent: 50 },
    ])
}

/** Puts the subject in, with a capital where it begins the sentence. */
function fill(text: string, subject: string): string {
  const filled = text.replace('$', subject)
  return filled.charAt(0).toUpperCase() + filled.slice(1)
}
