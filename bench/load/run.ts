import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { measureDatabaseFaults } from './database-faults.ts'
import { type Market, openMarket } from './market.ts'
import { countOther, memoryMbOf, openFilesOf, sendTraffic } from './traffic.ts'

/**
 * `npm run bench:load -- load | overload | soak | database [--agents 100000] [--jobs 1000000] [--seconds 60]`: the started
 * service under steady traffic, too much traffic, traffic for minutes, and with a database that is killed, hangs, is slow
 * or has no disk left. Linux only. Each prints one line of figures that `npm run prove` reads.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    agents: { type: 'string', default: '100000' },
    jobs: { type: 'string', default: '1000000' },
    seconds: { type: 'string' },
  },
})
const size = { agents: Number(values.agents), jobs: Number(values.jobs) }
const secondsOr = (usual: number): number => Number(values.seconds ?? usual)

/** 900 a second, four fifths of them reads. */
const steady = { readsPerSecond: 720, hiresPerSecond: 180 }
const OVERLOAD = 5
const OVERLOAD_CLIENTS = 1_000
const soaking = { readsPerSecond: 160, hiresPerSecond: 40 }
const WARM_UP_SECONDS = 5
/** The connections of a burst are closed by then. */
const SETTLING_MS = 3_000

function print(goal: string, figures: Record<string, number>): void {
  console.log(`proof ${goal} ${JSON.stringify(figures)}`)
}

async function withMarket(work: (market: Market) => Promise<void>): Promise<void> {
  const market = await openMarket(size)
  try {
    await sendTraffic(market, soaking, WARM_UP_SECONDS)
    await work(market)
  } finally {
    await market.close()
  }
}

const kinds = {
  load: () =>
    withMarket(async (market) => {
      const { reads, hires } = await sendTraffic(market, steady, secondsOr(60))
      print('G11', {
        ...size,
        requestsPerSecond: reads.perSecond + hires.perSecond,
        readsP50Ms: reads.p50Ms,
        readsP99Ms: reads.p99Ms,
        hiresPerSecond: hires.perSecond,
        hiresP50Ms: hires.p50Ms,
        hiresP99Ms: hires.p99Ms,
        errors: countOther(reads) + countOther(hires),
      })
    }),

  overload: () =>
    withMarket(async (market) => {
      const tooMuch = {
        readsPerSecond: steady.readsPerSecond * OVERLOAD,
        hiresPerSecond: steady.hiresPerSecond * OVERLOAD,
      }
      const { reads, hires } = await sendTraffic(market, tooMuch, secondsOr(60), OVERLOAD_CLIENTS)
      const memoryMb = memoryMbOf(market)
      const endedAtMs = performance.now()
      print('G12', {
        offeredPerSecond: reads.sentPerSecond + hires.sentPerSecond,
        acceptedPerSecond: reads.perSecond + hires.perSecond,
        acceptedHiresPerSecond: hires.perSecond,
        acceptedP99Ms: Math.max(reads.p99Ms, hires.p99Ms),
        otherThan429And503: countOther(reads, [429, 503]) + countOther(hires, [429, 503]),
        memoryMb,
        normalAfterMs: await normalAfterMs(market, endedAtMs),
      })
    }),

  soak: () =>
    withMarket(async (market) => {
      const seconds = secondsOr(540)
      const beginsAt = Math.round((seconds * 2) / 9)
      await sendTraffic(market, soaking, beginsAt)
      await delay(SETTLING_MS)
      const before = { memoryMb: memoryMbOf(market), files: openFilesOf(market) }
      const { reads, hires } = await sendTraffic(market, soaking, seconds - beginsAt)
      await delay(SETTLING_MS)
      const memoryMb = memoryMbOf(market)
      print('G13', {
        seconds,
        requestsPerSecond: reads.perSecond + hires.perSecond,
        memoryMbBefore: before.memoryMb,
        memoryMbAfter: memoryMb,
        memoryGrowthPercent: Number(((memoryMb / before.memoryMb - 1) * 100).toFixed(1)),
        filesChanged: Math.abs(openFilesOf(market) - before.files),
        errors: countOther(reads) + countOther(hires),
      })
    }),

  database: async () => print('G17', await measureDatabaseFaults({ seconds: secondsOr(20) })),
}

/** How long after the overload a second passes in which everything is served quickly. */
async function normalAfterMs(market: Market, sinceMs: number): Promise<number> {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const { reads, hires } = await sendTraffic(market, soaking, 1)
    const isNormal = countOther(reads) + countOther(hires) === 0 && Math.max(reads.p99Ms, hires.p99Ms) < 400
    // The second that shows it has passed too.
    if (isNormal) return Math.round(performance.now() - sinceMs - 1000)
    await delay(100)
  }
  return Math.round(performance.now() - sinceMs)
}

const [kind = ''] = positionals
if (!Object.hasOwn(kinds, kind)) {
  console.error(`Name one of ${Object.keys(kinds).join(', ')}.`)
  process.exit(1)
}
await kinds[kind as keyof typeof kinds]()
process.exit(0)
