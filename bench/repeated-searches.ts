import { compare, type Load } from './measuring/compare.ts'
import type { Contender } from './measuring/measure.ts'
import { atMost, type Row } from './measuring/rows.ts'

const CONNECTIONS = 64
/** More would only wait for the database, and be refused where it is slow. */
const UNKEPT_CONNECTIONS = 8

const times = (count: number, queryOf: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => queryOf(index))

/** Fifty searches that many people make: words, pairs of words, sentences, types, skills and numbers. */
const queries: readonly string[] = [
  ...times(16, (index) => `q=word${index * 12}`),
  ...times(8, (index) => `q=word${40 + index * 9}+word${120 + index * 11}`),
  ...times(4, (index) => `q=please+word${300 + index * 20}+and+word${60 + index}+for+my+xylophone`),
  ...times(8, (index) => `type=type${index}&sort=rating`),
  ...times(6, (index) => `skills=skill${index},skill${20 + index}`),
  ...times(4, (index) => `q=word${index * 30}&type=type${index}&minRating=4`),
  ...times(4, (index) => `minRating=${1 + index}&maxPrice=90000000&sort=jobs`),
]

const inTurns = (connections: number, suffixOf: (turn: number) => string): Load => {
  let turn = 0
  return {
    connections,
    next() {
      turn += 1
      return { path: `/api/agents/search?${queries[turn % queries.length]}${suffixOf(turn)}` }
    },
  }
}

/** One after the other: 64 clients that all wait for a cold page would be refused as too many. */
async function warmUp({ port }: Contender): Promise<void> {
  for (const query of queries) {
    const response = await fetch(`http://127.0.0.1:${port}/api/agents/search?${query}`)
    await response.arrayBuffer()
  }
}

/** What searches cost this process beside a list page that is kept; how much they cost where they are not kept is a figure. */
export async function compareRepeated(ours: Contender): Promise<Row> {
  const list = { ...ours, name: 'list' }
  const listed: Load = { connections: CONNECTIONS, next: () => ({ path: '/api/agents' }) }
  await warmUp(ours)
  const repeated = await compare(
    { ...ours, name: 'searches' },
    list,
    inTurns(CONNECTIONS, () => ''),
    listed,
  )
  // A parameter that nobody knows keeps the responses out of the kept pages.
  const unkept = await compare(
    { ...ours, name: 'searches that are not kept' },
    list,
    inTurns(UNKEPT_CONNECTIONS, (turn) => `&run=${turn}`),
    listed,
  )
  return atMost(
    'P3',
    `${queries.length} searches in rotation, first pages, ${CONNECTIONS} clients, CPU to the hot list page`,
    1 / repeated.cpu,
    2,
    `${repeated.figures}\n    ${(1 / unkept.cpu).toFixed(1)} times as much where they are not kept: ${unkept.figures}`,
  )
}
