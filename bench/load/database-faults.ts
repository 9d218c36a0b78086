import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { endServices, type ServiceProcess, temporaryDirectory } from '../../e2e/service/service-process.ts'
import { signalDatabase } from '../../e2e/service/signal-database.ts'
import { lockDataDirectory } from '../../packages/server/src/platform/db/data-directory.ts'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/db/embedded/embedded-postgres.ts'
import { endOnSignals } from '../../scripts/testing/end-on-signals.ts'
import { startOn, urlOf } from './market.ts'

const VOLUME_MB = 200
const CLIENTS = 20
/** It stands still for longer than the other faults last: whatever waits without a limit shows. */
const STANDSTILL = 3
const HANG_MS = 3_000
/** For the way of a response on a busy machine; what waits for a limit of 3 s may take a little more. */
const SLACK_MS = 250

interface Seen {
  responses: number
  unavailable: number
  other: number
  hangs: number
  refusedReads: number
  refusedWrites: number
  slowestMs: number
}

/**
 * A database on a volume of 200 MB that is killed, stands still, is slow, and has no room left, each for so many seconds
 * under traffic. The service must respond throughout, live on, and come back without anyone's help.
 */
export async function measureDatabaseFaults({
  seconds,
}: {
  seconds: number
}): Promise<Record<string, number>> {
  const directory = temporaryDirectory()
  const volume = join(directory.path, 'volume')
  mkdirSync(volume)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${VOLUME_MB}m,mode=711`, 'tmpfs', volume])
  const closers: (() => Promise<void> | void)[] = [
    () => {
      execFileSync('umount', ['-l', volume])
      directory.remove()
    },
  ]
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  endOnSignals(close)
  try {
    return await measureOn(volume, join(directory.path, 'data'), seconds, closers)
  } finally {
    await close()
  }
}

async function measureOn(
  volume: string,
  serviceDirectory: string,
  seconds: number,
  closers: (() => Promise<void> | void)[],
): Promise<Record<string, number>> {
  const path = join(volume, 'database')
  mkdirSync(path)
  chmodSync(path, 0o711)
  const dataDir = lockDataDirectory(path)
  const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) })
  closers.push(async () => {
    await postgres.stop()
    dataDir.release()
  })
  const service = await startOn(urlOf(postgres.connection), serviceDirectory)
  closers.push(endServices)
  let hasEnded = false
  service.process.once('exit', () => {
    hasEnded = true
  })
  const during = async (fault: () => Promise<void>): Promise<{ seen: Seen; backAfterMs: number }> => {
    const traffic = startTraffic(service)
    await delay(1_000)
    await fault()
    const healedAtMs = performance.now()
    const backAfterMs = (await traffic.untilServed(healedAtMs)) - healedAtMs
    return { seen: await traffic.stop(), backAfterMs }
  }
  const signalAll = (signal: NodeJS.Signals) => signalDatabase(join(path, 'postgres'), signal)

  const faults = [
    // Killed: the supervisor of this run starts it again at once.
    await during(() => signalAll('SIGKILL')),
    // Stands still.
    await during(async () => {
      await signalAll('SIGSTOP')
      await delay(STANDSTILL * seconds * 1000)
      await signalAll('SIGCONT')
    }),
    // Slow: it stands still for four fifths of the time.
    await during(async () => {
      for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
        await signalAll('SIGSTOP')
        await delay(200)
        await signalAll('SIGCONT')
        await delay(50)
      }
    }),
  ]
  // Nothing can be written, but what is there can be read.
  const whileFull = await during(async () => {
    const filler = join(volume, 'filler')
    fill(volume, filler)
    await delay(seconds * 1000)
    rmSync(filler)
  })
  const results = [...faults, whileFull]
  const sum = (pick: (seen: Seen) => number) => results.reduce((total, { seen }) => total + pick(seen), 0)
  return {
    faults: results.length,
    seconds,
    standstillSeconds: STANDSTILL * seconds,
    responses: sum(({ responses }) => responses),
    unavailable: sum(({ unavailable }) => unavailable),
    other: sum(({ other }) => other),
    hangs: sum(({ hangs }) => hangs),
    refusedReadsWhileFull: whileFull.seen.refusedReads,
    refusedWritesWhileFull: whileFull.seen.refusedWrites,
    slowestMs: Math.round(Math.max(...results.map(({ seen }) => seen.slowestMs))),
    crashes: hasEnded ? 1 : 0,
    backAfterMs: Math.round(Math.max(...results.map(({ backAfterMs }) => backAfterMs))),
  }
}

/** Reads and writes one after the other; a write makes a new nonce. */
function startTraffic({ url }: ServiceProcess) {
  const seen: Seen = {
    responses: 0,
    unavailable: 0,
    other: 0,
    hangs: 0,
    refusedReads: 0,
    refusedWrites: 0,
    slowestMs: 0,
  }
  let isOver = false
  /** When the last write that succeeded was sent, and when it was done. */
  let served = { sentAtMs: 0, doneAtMs: 0 }
  const walletAddress = `0x${'7'.repeat(40)}`
  const send = (turn: number) =>
    turn % 2 === 0
      ? fetch(`${url}/api/agents?limit=5&category=${randomUUID()}`)
      : fetch(`${url}/api/auth/request-nonce`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ walletAddress }),
        })
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const startedAtMs = performance.now()
      const status = await send(turn).then(
        async (response) => {
          await response.arrayBuffer()
          return response.status
        },
        () => 0,
      )
      const tookMs = performance.now() - startedAtMs
      seen.responses += 1
      seen.slowestMs = Math.max(seen.slowestMs, tookMs)
      if (tookMs > HANG_MS + SLACK_MS) seen.hangs += 1
      if (status < 200 || status > 299) seen[turn % 2 === 0 ? 'refusedReads' : 'refusedWrites'] += 1
      if (status === 503) seen.unavailable += 1
      else if (status >= 200 && status < 300) {
        // Writes only: reads may go on while nothing can be written.
        if (turn % 2 === 1) served = { sentAtMs: startedAtMs, doneAtMs: performance.now() }
      } else seen.other += 1
      await delay(20)
    }
  })
  return {
    async untilServed(sinceMs: number): Promise<number> {
      const GIVE_UP_MS = 60_000
      while (served.sentAtMs < sinceMs && performance.now() < sinceMs + GIVE_UP_MS) await delay(20)
      return served.sentAtMs < sinceMs ? performance.now() : served.doneAtMs
    },
    async stop(): Promise<Seen> {
      isOver = true
      await Promise.all(clients)
      return seen
    },
  }
}

function fill(volume: string, file: string): void {
  const { bavail, bsize } = statfsSync(volume)
  try {
    writeFileSync(file, Buffer.alloc(bavail * bsize))
  } catch (error) {
    // The database took some of it meanwhile.
    if ((error as { code?: string }).code !== 'ENOSPC') throw error
  }
}
