import { type EarningSort, type EarningSource, railOf } from '@agent-marketplace/contract'
import { daysOf, type Period, periodOf, seriesPeriodOf } from '../../house/books/period.ts'
import { type Account, claimedAccount, owedAccount, walletAccount } from '../../money/books/accounts.ts'
import { balancesOf } from '../../money/books/journal.ts'
import { reservedByAgent } from '../../money/limits/guardrails.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { wordsOf } from '../../platform/db/search-words.ts'
import { type GroupOfEarnings, groupEarnings } from './breakdown.ts'
import type { EarningFilter } from './earned.ts'
import {
  type EarningRow,
  listEarnings,
  listEarningsAfter,
  sumEarnings,
  sumEarningsByDay,
  sumEarningsByGroup,
} from './store.ts'

/** How many entries of an export are in memory at a time. */
const EXPORT_BATCH = 1_000
/** Larger, because with words each batch repeats the search. */
const SEARCHED_EXPORT_BATCH = 10_000

export interface EarningAgent {
  id: string
  name: string
  walletAddress: string
}

/**
 * What an owner's agents earned, read from the journal. It promises: list, summary, series and export agree to the
 * micro-unit, because all are the same rows; what is only claimed is marked, and is in no number of the profile; nobody
 * reads of another owner's agents, filters only narrow.
 */
export interface EarningsDeps {
  db: Database
  searchDb: Database
  clock: Clock
  agentsOf: (ownerId: string) => Promise<EarningAgent[]>
}

export interface EarningsQuery {
  agentId?: string | undefined
  startDate?: string | undefined
  endDate?: string | undefined
  source?: EarningSource | undefined
  q?: string | undefined
}

export interface Earning extends Omit<EarningRow, 'account'> {
  agent: EarningAgent
}

export interface EarningsPage {
  earnings: Earning[]
  total: number
  netMicro: bigint
  feeMicro: bigint
  unverifiedMicro: bigint
  /** What the escrow holds for the agents' wallets now, whatever the period. */
  heldMicro: bigint
}

export interface DayOfEarnings {
  date: string
  escrowMicro: bigint
  x402Micro: bigint
  unverifiedMicro: bigint
}

export function createEarningsService({ db, searchDb, clock, agentsOf }: EarningsDeps) {
  /** The owner's own agents by the accounts of their income, narrowed by the filter. */
  const agentsByAccount = async (ownerId: string, agentId?: string): Promise<Map<Account, EarningAgent>> => {
    const agents = await agentsOf(ownerId)
    const wanted = agents.filter(({ id }) => agentId === undefined || id === agentId)
    return new Map(
      wanted.flatMap((agent) => [
        [walletAccount(agent.walletAddress), agent],
        [claimedAccount(agent.walletAddress), agent],
      ]),
    )
  }
  const narrowed = async (ownerId: string, query: EarningsQuery, period: Partial<Period>) => {
    const agents = await agentsByAccount(ownerId, query.agentId)
    const words = wordsOf(query.q)
    const filter = { accounts: [...agents.keys()], source: query.source, words, ...period }
    return { agents, filter, reader: words.length > 0 ? searchDb : db }
  }
  const withAgents = (rows: EarningRow[], agents: Map<Account, EarningAgent>): Earning[] =>
    rows.flatMap(({ account, ...row }) => {
      const agent = agents.get(account)
      return agent ? [{ ...row, agent }] : []
    })

  async function* exportInBatches(
    reader: Database,
    filter: EarningFilter,
    agents: Map<Account, EarningAgent>,
  ): AsyncGenerator<Earning[]> {
    const limit = filter.words?.length ? SEARCHED_EXPORT_BATCH : EXPORT_BATCH
    let after: EarningRow | undefined
    while (true) {
      const rows = await listEarningsAfter(reader, filter, { after, limit })
      yield withAgents(rows, agents)
      after = rows.at(-1)
      if (rows.length < limit) return
    }
  }

  return {
    async list(
      ownerId: string,
      query: EarningsQuery,
      page: { sort: EarningSort; limit: number; offset: number },
    ): Promise<EarningsPage> {
      const { agents, filter, reader } = await narrowed(ownerId, query, periodOf(query))
      const owed = new Set([...agents.values()].map(({ walletAddress }) => owedAccount(walletAddress)))
      const [rows, totals, held] = await Promise.all([
        listEarnings(reader, filter, page),
        sumEarnings(reader, filter),
        balancesOf(db, [...owed]),
      ])
      const heldMicro = [...held.values()].reduce((sum, amountMicro) => sum + amountMicro, 0n)
      const { count, ...sums } = totals
      return { earnings: withAgents(rows, agents), total: Number(count), heldMicro, ...sums }
    },

    async series(ownerId: string, query: EarningsQuery): Promise<DayOfEarnings[]> {
      const period = seriesPeriodOf(query, clock.now())
      const { filter, reader } = await narrowed(ownerId, query, period)
      const nothing = { escrowMicro: 0n, x402Micro: 0n, unverifiedMicro: 0n }
      const days = new Map(daysOf(period).map((date) => [date, { date, ...nothing }]))
      for (const { day, source, netMicro, unverifiedMicro } of await sumEarningsByDay(reader, filter)) {
        const point = days.get(day)
        if (!point) continue
        point[railOf(source).holdsMoney ? 'escrowMicro' : 'x402Micro'] = netMicro
        point.unverifiedMicro += unverifiedMicro
      }
      return [...days.values()]
    },

    /** The sums of the list by what they come from. */
    async breakdown(
      ownerId: string,
      query: EarningsQuery,
      by: 'agent' | 'service',
    ): Promise<GroupOfEarnings[]> {
      const { agents, filter, reader } = await narrowed(ownerId, query, periodOf(query))
      return groupEarnings(await sumEarningsByGroup(reader, filter, by), by, (account) => agents.get(account))
    },

    /** Everything that fits, oldest first, a batch at a time. */
    async export(ownerId: string, query: EarningsQuery): Promise<AsyncGenerator<Earning[]>> {
      const { agents, filter, reader } = await narrowed(ownerId, query, periodOf(query))
      return exportInBatches(reader, filter, agents)
    },

    /** The numbers of the owner's profile: of what the chain shows, and nothing else. */
    async earningsOf(ownerId: string): Promise<{ totalEarnedMicro: bigint; availableBalanceMicro: bigint }> {
      const agents = await agentsOf(ownerId)
      const accounts = agents.map(({ walletAddress }) => walletAccount(walletAddress))
      const [totals, balances, reserved] = await Promise.all([
        sumEarnings(db, { accounts }),
        balancesOf(db, accounts),
        reservedByAgent(
          db,
          agents.map(({ id }) => id),
        ),
      ])
      let availableBalanceMicro = 0n
      for (const { id, walletAddress } of agents) {
        const heldMicro = balances.get(walletAccount(walletAddress)) ?? 0n
        const freeMicro = heldMicro - (reserved.get(id) ?? 0n)
        // What is set aside may for a moment be more than the books show: they follow the chain, reservations do not.
        if (freeMicro > 0n) availableBalanceMicro += freeMicro
      }
      return { totalEarnedMicro: totals.netMicro, availableBalanceMicro }
    },
  }
}

export type EarningsService = ReturnType<typeof createEarningsService>
