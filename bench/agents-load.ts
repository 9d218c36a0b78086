import autocannon from 'autocannon'
import { type Contender, median, type Round } from './measure.ts'
import type { Row } from './rows.ts'

const ROUNDS = 5
const SECONDS = 2

export interface Load {
  connections: number
  nextPath: () => string
}

/** Like `measureRound`, but every request goes to another path: agents differ, and joined reads must not help by being the same. */
async function measureOnce(contender: Contender, { connections, nextPath }: Load): Promise<Round> {
  const before = await contender.cpuMicros()
  const result = await autocannon({
    url: `http://127.0.0.1:${contender.port}`,
    connections,
    duration: SECONDS,
    requests: [{ setupRequest: (request) => ({ ...request, path: nextPath() }) }],
  })
  const cpuMicros = (await contender.cpuMicros()) - before
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${contender.name}: ${result.non2xx} answers were not 2xx`)
  return {
    cpuMicrosPerRequest: cpuMicros / result.requests.total,
    requestsPerSecond: result.requests.total / result.duration,
  }
}

export interface Compared {
  /** Ours to raw, the median of the rounds' own ratios. */
  cpu: number
  throughput: number
  figures: string
}

export async function compare(ours: Contender, raw: Contender, load: Load): Promise<Compared> {
  const rounds: { ours: Round; raw: Round }[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const measured = { raw: await measureOnce(raw, load), ours: await measureOnce(ours, load) }
    // The first round warms up.
    if (round > 0) rounds.push(measured)
  }
  const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of))
  const shown = (of: (round: Round) => number) =>
    `ours ${middle((round) => of(round.ours)).toFixed(0)}, raw ${middle((round) => of(round.raw)).toFixed(0)}`
  return {
    cpu: middle((round) => round.raw.cpuMicrosPerRequest / round.ours.cpuMicrosPerRequest),
    throughput: middle((round) => round.ours.requestsPerSecond / round.raw.requestsPerSecond),
    figures: `CPU µs per request: ${shown((round) => round.cpuMicrosPerRequest)}; requests/s: ${shown((round) => round.requestsPerSecond)}`,
  }
}

export const atLeast = (id: string, what: string, ratio: number, goal: number, figures: string): Row => ({
  id,
  what,
  ratio,
  goal: `≥ ${goal}`,
  reached: ratio >= goal,
  figures,
})
export const atMost = (id: string, what: string, ratio: number, goal: number, figures: string): Row => ({
  id,
  what,
  ratio,
  goal: `≤ ${goal}`,
  reached: ratio <= goal,
  figures,
})
