// Measures agent detail, the hot list page and search against floors in the same run, interleaved.
// Run: node bench/agents.bench.ts [--size 1000000]; with a larger size the rows of P6 compare it with 100k.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { atLeast, atMost, compare } from './agents-load.ts'
import { searchRows, timeSearches } from './agents-search.ts'
import { openBenchDatabase } from './agents-seed.ts'
import { type Contender, startContender } from './measure.ts'
import { printRows, type Row } from './rows.ts'

const BASE_SIZE = 100_000

async function benchHttp(ours: Contender, raw: Contender, wallets: readonly string[]): Promise<Row[]> {
  let turn = 0
  const nextWallet = () => {
    turn += 1
    return `/api/agents/${wallets[turn % wallets.length]}`
  }
  const many = await compare(ours, raw, { connections: 64, nextPath: nextWallet })
  const alone = await compare(ours, raw, { connections: 1, nextPath: nextWallet })
  const list = await compare(ours, raw, { connections: 64, nextPath: () => '/api/agents' })
  return [
    atLeast(
      'P1',
      'agent detail, 64 clients, throughput to raw http + pg named',
      many.throughput,
      2,
      many.figures,
    ),
    atLeast('P1', 'agent detail, 64 clients, CPU of raw http + pg named to ours', many.cpu, 2, many.figures),
    atMost(
      'P2',
      'agent detail, one client, latency to raw http + pg named',
      1 / alone.throughput,
      1.1,
      alone.figures,
    ),
    atLeast(
      'P3',
      'hot list page, 64 clients, throughput to raw http sending the same JSON',
      list.throughput,
      0.6,
      list.figures,
    ),
  ]
}

async function withContenders<T>(work: (ours: Contender, raw: Contender) => Promise<T>): Promise<T> {
  const script = join(import.meta.dirname, 'agents-server.ts')
  const ours = await startContender(script, 'ours')
  const raw = await startContender(script, 'raw')
  try {
    return await work(ours, raw)
  } finally {
    await Promise.all([ours.stop(), raw.stop()])
  }
}

/** P1, P2, P3 and P6. The peer of the goals (Express and Prisma) is not installed here and is left out. */
export async function benchAgents({ size = BASE_SIZE } = {}): Promise<Row[]> {
  const database = await openBenchDatabase()
  process.env.BENCH_CONNECTION = JSON.stringify(database.connection)
  try {
    await database.growTo(BASE_SIZE)
    const wallets = await database.wallets(20_000)
    const base = await withContenders(async (ours, raw) => {
      const times = await timeSearches(ours)
      return { times, rows: await benchHttp(ours, raw, wallets) }
    })
    const rows = [...base.rows, ...searchRows(base.times, undefined)]
    if (size <= BASE_SIZE) return rows
    await database.growTo(size)
    return [
      ...rows,
      ...(await withContenders(async (ours) => searchRows(await timeSearches(ours), base.times))),
    ]
  } finally {
    await database.close()
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { size: { type: 'string', default: String(BASE_SIZE) } } })
  printRows(await benchAgents({ size: Number(values.size) }))
}
