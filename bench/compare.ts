import autocannon from 'autocannon'
import { type Contender, median, type Round } from './measure.ts'

const ROUNDS = 5
const SECONDS_PER_ROUND = 1.5

export interface Request {
  path: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

export interface Load {
  connections: number
  /** Every request is another one: joined reads and kept answers must not help by being the same. */
  next: () => Request
}

/** One burst of requests; every answer must be 2xx. */
async function measureOnce(contender: Contender, { connections, next }: Load): Promise<Round> {
  const before = await contender.cpuMicros()
  const result = await autocannon({
    url: `http://127.0.0.1:${contender.port}`,
    connections,
    duration: SECONDS_PER_ROUND,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  })
  const cpuMicros = (await contender.cpuMicros()) - before
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${contender.name}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`)
  // A contender that answers nobody within the round has answered less than one.
  const count = Math.max(1, result.requests.total)
  return { cpuMicrosPerRequest: cpuMicros / count, requestsPerSecond: count / result.duration }
}

export interface Compared {
  /** How often ours fits into the CPU time and into the second of the other: the median of the rounds' own ratios. */
  cpu: number
  throughput: number
  figures: string
}

/** Interleaved, and who goes first changes with every round, so that a busy moment of the machine hits both alike. */
export async function compare(ours: Contender, other: Contender, load: Load): Promise<Compared> {
  const rounds: { ours: Round; other: Round }[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const order = round % 2 === 0 ? [ours, other] : [other, ours]
    const measured = new Map<Contender, Round>()
    for (const contender of order) measured.set(contender, await measureOnce(contender, load))
    const [mine, theirs] = [measured.get(ours), measured.get(other)]
    // The first round warms up.
    if (mine && theirs && round > 0) rounds.push({ ours: mine, other: theirs })
  }
  const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of))
  const shown = (of: (round: Round) => number) =>
    `${ours.name} ${middle((round) => of(round.ours)).toFixed(0)}, ${other.name} ${middle((round) => of(round.other)).toFixed(0)}`
  return {
    cpu: middle((round) => round.other.cpuMicrosPerRequest / round.ours.cpuMicrosPerRequest),
    throughput: middle((round) => round.ours.requestsPerSecond / round.other.requestsPerSecond),
    figures: `CPU µs per request: ${shown((round) => round.cpuMicrosPerRequest)}; requests/s: ${shown((round) => round.requestsPerSecond)}`,
  }
}
