import autocannon from 'autocannon'
import { type Contender, median, type Round } from './measure.ts'

const ROUNDS = 5
/** How many bursts in a row may be refused in part. */
const ATTEMPTS = 4
const SECONDS_PER_ROUND = 1.5

export interface Request {
  path: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

export interface Load {
  connections: number
  /** Every request is another one: joined reads must not help by being the same, and kept responses only where a row says so. */
  next: () => Request
  /** The CPU time of the database so far, where it is to be counted too. */
  databaseCpu?: () => number
}

interface WholeRound extends Round {
  /** With the database; not a number where that is not counted. */
  wholeMicrosPerRequest: number
  /** Bursts before it that do not count, because some of their requests were refused. */
  refusedBursts: number
}

/** So many requests, in their order, for a contender that is to be measured once it has had all of them. */
export async function sendAll(
  { port }: Contender,
  { connections, next }: Load,
  amount: number,
): Promise<void> {
  await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    amount,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  })
}

/**
 * A burst in which every response is 2xx. On a machine that is busy with something else a server may refuse some: then
 * the burst does not count, and another one is sent, which the figures say. One that only warms up always does.
 */
async function measureCalm(contender: Contender, load: Load, isWarmUp: boolean): Promise<WholeRound> {
  for (let refusedBursts = 0; ; refusedBursts += 1) {
    const { failures, ...round } = await measureOnce(contender, load)
    if (isWarmUp || failures === 0) return { ...round, refusedBursts }
    if (refusedBursts + 1 === ATTEMPTS)
      throw new Error(
        `${contender.name}: ${failures} responses of the last of ${ATTEMPTS} bursts were not 2xx`,
      )
  }
}

/** One burst of requests. */
async function measureOnce(
  contender: Contender,
  { connections, next, databaseCpu }: Load,
): Promise<Omit<WholeRound, 'refusedBursts'> & { failures: number }> {
  const before = await contender.cpuMicros()
  const databaseBefore = databaseCpu?.() ?? Number.NaN
  const result = await autocannon({
    url: `http://127.0.0.1:${contender.port}`,
    connections,
    duration: SECONDS_PER_ROUND,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  })
  const cpuMicros = (await contender.cpuMicros()) - before
  const databaseMicros = (databaseCpu?.() ?? Number.NaN) - databaseBefore
  await untilDone(contender, next())
  // A contender that completes no request within the round counts as less than one.
  const count = Math.max(1, result.requests.total)
  return {
    cpuMicrosPerRequest: cpuMicros / count,
    wholeMicrosPerRequest: (cpuMicros + databaseMicros) / count,
    requestsPerSecond: count / result.duration,
    failures: result.non2xx + result.errors,
  }
}

/**
 * A burst ends with requests still under way, and their work would be done in the round of the other one: the peer leaves
 * a second of it behind. One more request completes after all of them.
 */
async function untilDone({ port }: Contender, { path, ...request }: Request): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, request)
  await response.arrayBuffer()
}

export interface Compared {
  /** How often ours fits into the CPU time and into the second of the other: the median of the rounds' own ratios. */
  cpu: number
  throughput: number
  figures: string
}

export interface WholeCompared extends Compared {
  /** As `cpu`, with the database. */
  wholeCpu: number
}

/** Interleaved, and who goes first changes with every round, so that a busy moment of the machine hits both alike. */
export async function compare(
  ours: Contender,
  other: Contender,
  load: Load,
  loadOfOther: Load = load,
): Promise<WholeCompared> {
  const rounds: { ours: WholeRound; other: WholeRound }[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const order = round % 2 === 0 ? [ours, other] : [other, ours]
    const measured = new Map<Contender, WholeRound>()
    for (const contender of order) {
      const own = contender === ours ? load : loadOfOther
      measured.set(contender, await measureCalm(contender, own, round === 0))
    }
    const [mine, theirs] = [measured.get(ours), measured.get(other)]
    // The first round warms up.
    if (mine && theirs && round > 0) rounds.push({ ours: mine, other: theirs })
  }
  const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of))
  const shown = (of: (round: WholeRound) => number) =>
    `${ours.name} ${middle((round) => of(round.ours)).toFixed(0)}, ${other.name} ${middle((round) => of(round.other)).toFixed(0)}`
  const refused = rounds.reduce((sum, { ours, other }) => sum + ours.refusedBursts + other.refusedBursts, 0)
  return {
    cpu: middle((round) => round.other.cpuMicrosPerRequest / round.ours.cpuMicrosPerRequest),
    wholeCpu: middle((round) => round.other.wholeMicrosPerRequest / round.ours.wholeMicrosPerRequest),
    throughput: middle((round) => round.ours.requestsPerSecond / round.other.requestsPerSecond),
    figures: [
      `CPU µs per request: ${shown((round) => round.cpuMicrosPerRequest)}`,
      ...(load.databaseCpu ? [`with the database: ${shown((round) => round.wholeMicrosPerRequest)}`] : []),
      `requests/s: ${shown((round) => round.requestsPerSecond)}`,
      ...(refused > 0 ? [`${refused} bursts sent again, because some requests were refused`] : []),
    ].join('; '),
  }
}
