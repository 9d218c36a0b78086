import { type Contender, median } from './measure.ts'
import type { Row } from './rows.ts'
import { atMost } from './rows.ts'

const SEARCH_RUNS = 15
const DEEP_PAGES = 60

const searches = {
  'sort rating': 'sort=rating',
  'type, sort rating': 'type=type3&sort=rating',
  'common skill, sort rating': 'skills=skill0&sort=rating',
  'rating and price, sort jobs': 'minRating=4&maxPrice=90000000&sort=jobs',
  'common word, ranked': 'q=word0',
  'rarer word, ranked': 'q=word150',
  'offset 10,000': 'sort=rating&offset=10000',
  'two rare skills (few hits)': 'skills=skill19,skill39&minRating=4.5&sort=price',
  'type, word, rating (few hits)': 'type=type11&q=word390&minRating=4&sort=price',
} as const
const fewHits = (name: string) => name.includes('few hits')

/** The middle time of each search in ms, one at a time. A parameter that nobody knows keeps every answer out of the kept pages. */
export async function timeSearches({ port }: Contender): Promise<Map<string, number>> {
  const times = new Map<string, number[]>()
  for (let run = 0; run < SEARCH_RUNS; run += 1) {
    for (const [name, query] of [...Object.entries(searches), ...(await cursorPages(port))]) {
      const path = name.startsWith('cursor')
        ? `/api/agents?${query}`
        : `/api/agents/search?${query}&run=${run}`
      const startedMs = performance.now()
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`)
      if (run > 1) times.set(name, [...(times.get(name) ?? []), performance.now() - startedMs])
    }
  }
  return new Map([...times].map(([name, measured]) => [name, median(measured)]))
}

/** A page early in the list and one that 60 pages of 100 lead to; both carry a cursor, so neither is a kept page. */
async function cursorPages(port: number): Promise<[string, string][]> {
  let cursor = ''
  let early = ''
  for (let page = 0; page < DEEP_PAGES; page += 1) {
    const answer = await fetch(
      `http://127.0.0.1:${port}/api/agents?limit=100${cursor && `&cursor=${cursor}`}`,
    )
    const { nextCursor } = (await answer.json()) as { nextCursor: string }
    cursor = nextCursor
    if (page === 0) early = cursor
  }
  return [
    ['cursor, first', `limit=20&cursor=${early}`],
    ['cursor, deep', `limit=20&cursor=${cursor}`],
  ]
}

export function searchRows(
  times: ReadonlyMap<string, number>,
  base: ReadonlyMap<string, number> | undefined,
): Row[] {
  const of = (from: ReadonlyMap<string, number>, name: string) => from.get(name) ?? Number.NaN
  const first = of(times, 'cursor, first')
  const deep = of(times, 'cursor, deep')
  const rows = [
    atMost(
      'P6',
      'deep cursor page to the first',
      deep / first,
      1.5,
      `${deep.toFixed(2)} and ${first.toFixed(2)} ms`,
    ),
  ]
  if (!base) {
    for (const [name, ms] of times) console.log(`    search, ${name}: ${ms.toFixed(2)} ms`)
    return rows
  }
  for (const name of Object.keys(searches)) {
    const before = of(base, name)
    const now = of(times, name)
    const figures = `${now.toFixed(2)} ms, ${before.toFixed(2)} ms at 100k`
    rows.push(atMost('P6', `growth of search, ${name}`, now / before, fewHits(name) ? 6 : 1.5, figures))
  }
  return rows
}
