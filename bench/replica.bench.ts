// Measures which part of the database's work a read replica takes over, and how much one carries.
// Run: node bench/replica.bench.ts
import { openBenchDatabase } from './agents-seed.ts'
import { withContenders } from './contenders/contenders.ts'
import { sendBurst } from './measuring/burst.ts'
import { openDatabaseCpu } from './measuring/database-cpu.ts'
import type { Contender } from './measuring/measure.ts'
import { atLeast, printRows, type Row } from './measuring/rows.ts'
import { startStandbyOf } from './measuring/standby.ts'

const AGENT_COUNT = 100_000
const CLIENTS = 16
const SECONDS = 6
const WARM_UP_SECONDS = 2
/** A core is planned at 70% of its time. */
const PLANNED_MICROS_PER_SECOND = 700_000

/** A parameter that nobody knows keeps every response out of the kept pages. */
const reads: Record<string, (turn: number, wallets: readonly string[]) => string> = {
  'agent detail': (turn, wallets) => `/api/agents/${wallets[turn % wallets.length]}`,
  'list, first page': (turn) => `/api/agents?run=${turn}`,
  'search by type': (turn) => `/api/agents/search?type=type${turn % 12}&sort=rating&run=${turn}`,
  'search by a common word': (turn) => `/api/agents/search?q=word${turn % 40}&run=${turn}`,
  'reviews of an agent': (turn, wallets) =>
    `/api/agents/${wallets[turn % wallets.length]}/reviews?run=${turn}`,
}

interface Servers {
  ours: Contender
  primaryCpu: () => number
  standbyCpu: () => number
}

async function measure({ ours, primaryCpu, standbyCpu }: Servers, next: () => string) {
  const burst = async (seconds: number) => {
    const load = { connections: CLIENTS, next: () => ({ path: next() }) }
    const sent = await sendBurst(ours.port, load, { seconds })
    if (sent.failures > 0) throw new Error(`${sent.failures} responses were not 2xx`)
    return sent
  }
  await burst(WARM_UP_SECONDS)
  const spent = async () => [await ours.cpuMicros(), primaryCpu(), standbyCpu()]
  const before = await spent()
  const { count, seconds } = await burst(SECONDS)
  const after = await spent()
  const [service = 0, primary = 0, standby = 0] = after.map(
    (now, place) => (now - (before[place] ?? 0)) / count,
  )
  return { service, primary, standby, perSecond: count / seconds }
}

/** Linux only: elsewhere the processes of a database are not counted. */
export async function benchReplica(): Promise<Row[]> {
  const database = await openBenchDatabase()
  try {
    await database.growTo(AGENT_COUNT)
    const wallets = await database.wallets(20_000)
    const standby = await startStandbyOf(database.connection)
    try {
      const primaryCpu = await openDatabaseCpu(database.connection)
      const standbyCpu = await openDatabaseCpu(standby.connection)
      return await withContenders(
        database.connection,
        ['ours'],
        async ({ ours }) => {
          const rows: Row[] = []
          for (const [name, pathOf] of Object.entries(reads)) {
            let turn = 0
            const { service, primary, standby, perSecond } = await measure(
              { ours, primaryCpu, standbyCpu },
              () => {
                turn += 1
                return pathOf(turn, wallets)
              },
            )
            const carried = Math.round(PLANNED_MICROS_PER_SECOND / standby)
            const figures = `CPU µs per request: API ${service.toFixed(0)}, replica ${standby.toFixed(0)}, primary ${primary.toFixed(0)}; ${perSecond.toFixed(0)} requests/s here; one core of a replica carries ${carried}/s`
            rows.push(
              atLeast(
                'P12',
                `${name}, share of the database's time on the replica`,
                standby / (standby + primary),
                0.9,
                figures,
              ),
            )
          }
          return rows
        },
        { replica: standby.connection },
      )
    } finally {
      await standby.close()
    }
  } finally {
    await database.close()
  }
}

if (import.meta.main) printRows(await benchReplica())
