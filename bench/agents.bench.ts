// Measures agent detail, lists and search against floors and the peer in the same run, interleaved.
// Run: node bench/agents.bench.ts [--size 1000000]; with a larger size the rows of P6 compare it with 100k.
import { parseArgs } from 'node:util'
import type { Connection } from '../packages/server/src/platform/db/connection.ts'
import { compareDeepPage, compareSizes } from './agents-search.ts'
import { openBenchDatabase } from './agents-seed.ts'
import { type ContenderName, withContenders } from './contenders/contenders.ts'
import { compare, type Load, sendAll } from './measuring/compare.ts'
import { openDatabaseCpu } from './measuring/database-cpu.ts'
import type { Contender } from './measuring/measure.ts'
import { atLeast, atMost, printRows, type Row } from './measuring/rows.ts'
import { compareRepeated } from './repeated-searches.ts'

const BASE_SIZE = 100_000
/** So many agents are requested again and again. */
const KNOWN_AGENTS = 20_000
const TYPES = 12
const PAGE = 20
/** As many as all agents of a type fill. */
const LATER_PAGES = 400

type Contenders = Record<ContenderName, Contender>

const at = (connections: number, next: () => string): Load => ({
  connections,
  next: () => ({ path: next() }),
})

function detailsOf(wallets: readonly string[]): () => string {
  let turn = 0
  return () => {
    turn += 1
    return `/api/agents/${wallets[turn % wallets.length]}`
  }
}

async function compareWithRaw({ ours, raw }: Contenders, wallets: readonly string[]): Promise<Row[]> {
  const many = await compareKnown(ours, raw, wallets)
  const alone = await compare(ours, raw, at(1, detailsOf(wallets)))
  const list = await compare(
    ours,
    raw,
    at(64, () => '/api/agents'),
  )
  const name = 'raw http + pg named'
  return [
    atLeast('P1', `agent detail, 64 clients, throughput to ${name}`, many.throughput, 2, many.figures),
    atLeast('P1', `agent detail, 64 clients, CPU of ${name} to ours`, many.cpu, 2, many.figures),
    atMost('P2', `agent detail, one client, latency to ${name}`, 1 / alone.throughput, 1.1, alone.figures),
    atLeast(
      'P3',
      'hot list page, 64 clients, throughput to raw http sending the same JSON',
      list.throughput,
      0.6,
      list.figures,
    ),
  ]
}

/** The agents of a type, from the page that begins at `offsetOf`. */
function searches(databaseCpu: () => number, offsetOf: (run: number) => number): Load {
  let run = 0
  return {
    connections: 64,
    databaseCpu,
    next() {
      run += 1
      // A parameter that nobody knows keeps the response out of our kept pages.
      return {
        path: `/api/agents/search?type=type${run % TYPES}&sort=rating&offset=${offsetOf(run)}&run=${run}`,
      }
    },
  }
}

interface Measured {
  wallets: readonly string[]
  /** Many more, so that none comes twice. */
  allWallets: readonly string[]
  databaseCpu: () => number
}

/** Of agents that were requested from both contenders before. */
async function compareKnown(ours: Contender, other: Contender, wallets: readonly string[]) {
  for (const contender of [ours, other]) await sendAll(contender, at(64, detailsOf(wallets)), wallets.length)
  return compare(ours, other, at(64, detailsOf(wallets)))
}

async function compareWithPeer(
  { ours, peer }: Contenders,
  { wallets, allWallets, databaseCpu }: Measured,
): Promise<Row[]> {
  const unknown = await compare(ours, peer, at(64, detailsOf(allWallets)))
  const detail = await compareKnown(ours, peer, wallets)
  const list = await compare(
    ours,
    peer,
    at(64, () => '/api/agents'),
  )
  const search = await compare(
    ours,
    peer,
    searches(databaseCpu, () => 0),
  )
  const laterPages = await compare(
    ours,
    peer,
    searches(databaseCpu, (run) => PAGE * (Math.floor(run / TYPES) % LATER_PAGES)),
  )
  return [
    atLeast('P1', 'agent detail, 64 clients, throughput to the peer', detail.throughput, 8, detail.figures),
    atLeast('P1', 'agent detail, 64 clients, CPU of the peer to ours', detail.cpu, 8, detail.figures),
    atLeast(
      'P1',
      'the same of agents that nobody has requested before, throughput',
      unknown.throughput,
      4,
      unknown.figures,
    ),
    atLeast('P3', 'list, first page, 64 clients, throughput to the peer', list.throughput, 5, list.figures),
    atLeast(
      'P3',
      'search by type, first page, agents that were shown before, 64 clients, throughput to the peer',
      search.throughput,
      5,
      search.figures,
    ),
    atLeast('P3', 'the same, CPU of the peer to ours, with the database', search.wholeCpu, 5, search.figures),
    atLeast(
      'P3',
      'search by type, later pages of agents that nobody has requested, throughput to the peer',
      laterPages.throughput,
      5,
      laterPages.figures,
    ),
  ]
}

/** P1, P2, P3 and P6. */
export async function benchAgents({ size = BASE_SIZE } = {}): Promise<Row[]> {
  const database = await openBenchDatabase()
  const { connection } = database
  try {
    await database.growTo(BASE_SIZE)
    const wallets = await database.wallets(KNOWN_AGENTS)
    const allWallets = await database.wallets(BASE_SIZE)
    const databaseCpu = await openDatabaseCpu(connection)
    return [
      ...(await withContenders(connection, ['ours', 'raw'], (started) => compareWithRaw(started, wallets))),
      ...(await withContenders(connection, ['ours', 'peer'], (started) =>
        compareWithPeer(started, { wallets, allWallets, databaseCpu }),
      )),
      await withContenders(connection, ['ours'], ({ ours }) => compareRepeated(ours)),
      await withContenders(connection, ['ours'], ({ ours }) => compareDeepPage(ours)),
      ...(size > BASE_SIZE ? await compareWithLarger(connection, { base: BASE_SIZE, size }) : []),
    ]
  } finally {
    await database.close()
  }
}

/** The rows of P6 about search alone, with sizes to choose. */
export async function benchSearch({ base = BASE_SIZE, size = 10 * BASE_SIZE } = {}): Promise<Row[]> {
  const database = await openBenchDatabase()
  try {
    await database.growTo(base)
    return await compareWithLarger(database.connection, { base, size })
  } finally {
    await database.close()
  }
}

/** Both sizes stand side by side, so that each pair of requests meets the same machine. */
async function compareWithLarger(
  connection: Connection,
  { base, size }: { base: number; size: number },
): Promise<Row[]> {
  const larger = await openBenchDatabase()
  try {
    await larger.growTo(size)
    return await withContenders(connection, ['ours'], ({ ours: few }) =>
      withContenders(larger.connection, ['ours'], ({ ours: many }) => compareSizes(few, many, base)),
    )
  } finally {
    await larger.close()
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { size: { type: 'string', default: String(BASE_SIZE) } } })
  printRows(await benchAgents({ size: Number(values.size) }))
}
