import { type Contender, median } from './measuring/measure.ts'
import { atMost, type Row } from './measuring/rows.ts'

const SEARCH_RUNS = 15
const WARM_UP_RUNS = 2
const DEEP_PAGES = 60

const searches = {
  'sort rating': 'sort=rating',
  'type, sort rating': 'type=type3&sort=rating',
  'common skill, sort rating': 'skills=skill0&sort=rating',
  'rating and price, sort jobs': 'minRating=4&maxPrice=90000000&sort=jobs',
  'on time': 'minOnTimeRate=0.9',
  'delivered, on time, undisputed': 'minDeliveryRate=0.95&minOnTimeRate=0.95&maxDisputeRate=0.02',
  'quick to deliver and respond': 'maxDeliveryHours=24&maxResponseHours=12',
  'common word, ranked': 'q=word0',
  'common word, on time, ranked': 'q=word0&minOnTimeRate=0.9',
  'rarer word, ranked': 'q=word150',
  'offset 10,000': 'sort=rating&offset=10000',
  'two rare skills (few hits)': 'skills=skill19,skill39&minRating=4.5&sort=price',
  'type, word, rating (few hits)': 'type=type11&q=word390&minRating=4&sort=price',
  'two words, 640 of a million (few hits)': 'q=word200+word150',
  'two words, 2,300 of a million (few hits)': 'q=word50+word100',
  'two words, 5,900 of a million (few hits)': 'q=word20+word50',
  'two words, 5,900 of a million, sort price (few hits)': 'q=word20+word50&sort=price',
  'two words, 16,000 of a million': 'q=word10+word20',
  'two words, 36,000 of a million': 'q=word5+word10',
  'two words, 36,000 of a million, sort price': 'q=word5+word10&sort=price',
  'two words, 95,000 of a million': 'q=word0+word20',
  'two words, 430,000 of a million': 'q=word0+word1',
  'sentence of frequent words': 'q=I+need+word3+and+word5+with+word9+for+a+xylophone',
  'sentence of rarer words (few hits)': 'q=please+word390+or+word350+and+word300+for+my+word20+xylophone',
  'sentence with a typing error': 'q=servcie+for+word390+and+word350',
} as const
const fewHits = (name: string) => name.includes('few hits')

/** The times of each path in ms, one request at a time, of one contender or of two in turns. */
async function timePaths<Name extends string>(
  contenders: readonly Contender[],
  pathsOf: (run: number) => readonly (readonly [Name, string])[],
): Promise<Map<Name, number[][]>> {
  const times = new Map<Name, number[][]>()
  for (let run = 0; run < WARM_UP_RUNS + SEARCH_RUNS; run += 1) {
    for (const [name, path] of pathsOf(run)) {
      const measured: number[] = []
      for (const { port } of contenders) measured.push(await timeOne(port, path))
      if (run >= WARM_UP_RUNS) times.set(name, [...(times.get(name) ?? []), measured])
    }
  }
  return times
}

async function timeOne(port: number, path: string): Promise<number> {
  const startedMs = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path} was returned ${response.status}`)
  return performance.now() - startedMs
}

const middleOf = (rounds: readonly number[][], place: number) =>
  median(rounds.map((round) => round[place] ?? Number.NaN))

/** A page early in the list and one that 60 pages of 100 lead to; both carry a cursor, so neither is a kept page. */
export async function compareDeepPage(ours: Contender): Promise<Row> {
  let cursor = ''
  let early = ''
  for (let page = 0; page < DEEP_PAGES; page += 1) {
    const response = await fetch(
      `http://127.0.0.1:${ours.port}/api/agents?limit=100${cursor && `&cursor=${cursor}`}`,
    )
    const { nextCursor } = (await response.json()) as { nextCursor: string }
    cursor = nextCursor
    if (page === 0) early = cursor
  }
  const pathTo = (place: string) => `/api/agents?limit=20&cursor=${place}`
  const times = await timePaths([ours], () => [
    ['first', pathTo(early)],
    ['deep', pathTo(cursor)],
  ])
  const first = middleOf(times.get('first') ?? [], 0)
  const deep = middleOf(times.get('deep') ?? [], 0)
  const figures = `${deep.toFixed(2)} and ${first.toFixed(2)} ms`
  return atMost('P6', 'deep cursor page to the first', deep / first, 1.5, figures)
}

/**
 * How much longer each search takes with more agents: the median of ratios, each of two requests right after one
 * another. A parameter that nobody knows keeps every response out of the kept pages.
 */
export async function compareSizes(base: Contender, grown: Contender, baseSize: number): Promise<Row[]> {
  const times = await timePaths([base, grown], (run) =>
    Object.entries(searches).map(([name, query]) => [name, `/api/agents/search?${query}&run=${run}`]),
  )
  return [...times].map(([name, rounds]) => {
    const growth = median(rounds.map(([before = Number.NaN, now = Number.NaN]) => now / before))
    const figures = `${middleOf(rounds, 1).toFixed(2)} ms, ${middleOf(rounds, 0).toFixed(2)} ms at ${baseSize / 1000}k`
    return atMost('P6', `growth of search, ${name}`, growth, fewHits(name) ? 6 : 1.5, figures)
  })
}
