import { type Requests, sendBurst } from './burst.ts'
import { type Contender, median, type Round } from './measure.ts'

const ROUNDS = 5
/** How many bursts in a row may be refused in part. */
const ATTEMPTS = 4
const SECONDS_PER_ROUND = 1.5
/** A process that is new to a load needs a few seconds until its code is compiled for it. */
const WARM_UP_SECONDS = 6

export interface Load extends Requests {
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
export async function sendAll({ port }: Contender, load: Load, amount: number): Promise<void> {
  await sendBurst(port, load, { amount })
}

/**
 * A burst in which every response is 2xx. On a machine that is busy with something else a server may refuse some: then
 * the burst does not count, and another one is sent, which the figures say. One that only warms up always does.
 */
async function measureCalm(contender: Contender, load: Load, isWarmUp: boolean): Promise<WholeRound> {
  for (let refusedBursts = 0; ; refusedBursts += 1) {
    const { failures, ...round } = await measureOnce(
      contender,
      load,
      isWarmUp ? WARM_UP_SECONDS : SECONDS_PER_ROUND,
    )
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
  load: Load,
  secondsWanted: number,
): Promise<Omit<WholeRound, 'refusedBursts'> & { failures: number }> {
  const before = await contender.cpuMicros()
  const databaseBefore = load.databaseCpu?.() ?? Number.NaN
  const { count, failures, seconds } = await sendBurst(contender.port, load, { seconds: secondsWanted })
  const cpuMicros = (await contender.cpuMicros()) - before
  const databaseMicros = (load.databaseCpu?.() ?? Number.NaN) - databaseBefore
  return {
    cpuMicrosPerRequest: cpuMicros / count,
    wholeMicrosPerRequest: (cpuMicros + databaseMicros) / count,
    requestsPerSecond: count / seconds,
    failures,
  }
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
