import { AppError, MAX_FUNNEL_AGENTS, type ViewedPart } from '@agent-marketplace/contract'
import { daysOf, seriesPeriodOf } from '../../house/books/period.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Log } from '../../platform/log/log.ts'
import { createCounter } from './counter.ts'
import { addViews, type FunnelRow, readFunnel } from './store.ts'
import { createVisitors, isBot } from './visitors.ts'

const DELAY_MS = 5_000
const COUNTED_AT_ONCE = 10_000

/**
 * How often agents are looked at, for their sellers alone. It promises: nothing about a visitor is stored; a visitor counts
 * once a day for each part as far as one process remembers; there are no rows but for agents that exist, one for a day; no
 * visitor waits for a write, and no ranking reads it.
 */
export interface AgentViewsDeps {
  db: Queryable
  clock: Clock
  log: Log
  /** By its wallet in any letter case. */
  agentOf: (db: Queryable, idOrWallet: string) => Promise<{ id: string; ownerId: string } | undefined>
}

export interface Visit {
  wallet: string
  part: ViewedPart
  /** Undefined without a session. */
  ownerId: string | undefined
  clientAddress: string
  userAgent: string | undefined
}

export interface FunnelQuery {
  agentId?: string | undefined
  startDate?: string | undefined
  endDate?: string | undefined
}

type Steps = Omit<FunnelRow, 'agentId' | 'name' | 'walletAddress'>

export interface Funnel {
  firstDay: string
  lastDay: string
  total: Steps
  agents: FunnelRow[]
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

export function createAgentViews({ db, clock, log, agentOf }: AgentViewsDeps) {
  const visitors = createVisitors()
  const counter = createCounter({
    write: (counts) => addViews(db, counts),
    onFailure: (error) => log.warn({ err: error }, 'some views of agents are not counted'),
    limit: COUNTED_AT_ONCE,
    delayMs: DELAY_MS,
  })

  return {
    async record({ wallet, part, ownerId, clientAddress, userAgent }: Visit): Promise<void> {
      const agent = await agentOf(db, wallet)
      if (!agent) throw new AppError('NOT_FOUND', { message: 'There is no agent with this wallet.' })
      if (agent.ownerId === ownerId || isBot(userAgent)) return
      const day = dayOf(clock.now())
      // What a caller says of its browser makes nobody else of it.
      const visitor = ownerId ?? clientAddress
      if (visitors.isNew(day, [agent.id, part, visitor])) counter.add(agent.id, day, part)
    },

    async funnelOf(ownerId: string, { agentId, ...range }: FunnelQuery): Promise<Funnel> {
      const period = seriesPeriodOf(range, clock.now())
      const days = daysOf(period)
      const firstDay = days[0] ?? dayOf(period.from)
      const lastDay = days.at(-1) ?? firstDay
      // What this process has counted is there at once; of the others it may be a few seconds behind.
      await counter.flush()
      const narrowed = agentId === undefined ? {} : { agentId }
      const agents = await readFunnel(db, ownerId, { period, firstDay, lastDay, ...narrowed })
      return { firstDay, lastDay, total: sumOf(agents), agents: agents.slice(0, MAX_FUNNEL_AGENTS) }
    },

    close: counter.flush,
  }
}

function sumOf(rows: readonly Steps[]): Steps {
  const total: Steps = { views: 0n, hireForms: 0n, jobs: 0n, paidJobs: 0n, completedJobs: 0n }
  for (const row of rows) {
    total.views += row.views
    total.hireForms += row.hireForms
    total.jobs += row.jobs
    total.paidJobs += row.paidJobs
    total.completedJobs += row.completedJobs
  }
  return total
}

export type AgentViews = ReturnType<typeof createAgentViews>
