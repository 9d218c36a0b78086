import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, runService, startService, temporaryDirectory } from '../e2e/service/service-process.ts'
import { atMost, type Row, withoutGoal } from './measuring/rows.ts'

const COLD_GOAL_SECONDS = 2.5
const COLD_WITH_DEMO_GOAL_SECONDS = 7
const RESTART_GOAL_SECONDS = 1.5
const MEMORY_GOAL_MB = 400

const COLD_STARTS = 3

/** Connections to the database that nobody needs any more are closed after ten seconds. */
const UNTIL_IDLE_MS = 15_000

interface Start {
  preparationSeconds: number
  preparedSeconds: number
  restartSeconds: number
  unpreparedSeconds: number
  memoryMb: number
}

/**
 * P9: seconds from the command to ready, on an empty data directory and on a used one, and the memory of all its
 * processes once nobody has used it for a while. As everybody meets it, with twelve weeks of demo data; and without them,
 * to see their share. The installation prepares a sandbox, which takes about as long as a start that makes everything: the
 * first start begins with a copy of it. One that finds no copy makes everything, with nothing compiled.
 */
export async function benchStart(): Promise<Row[]> {
  const played = await measureStarts({ DEMO: 'on' })
  const empty = await measureStarts({ DEMO: 'off' })
  const cold = 'cold start to ready'
  const [withDemo, without] = [`${cold} with the demo data`, `${cold} without demo data`]
  return [
    row(
      `${withDemo}, from the copy that the installation has prepared, seconds`,
      played,
      'preparedSeconds',
      COLD_WITH_DEMO_GOAL_SECONDS,
    ),
    row('preparing that copy, seconds', played, 'preparationSeconds'),
    row(
      `${withDemo}, where nothing is prepared, seconds`,
      played,
      'unpreparedSeconds',
      COLD_WITH_DEMO_GOAL_SECONDS,
    ),
    row(
      `${without}, from the copy that the installation has prepared, seconds`,
      empty,
      'preparedSeconds',
      COLD_GOAL_SECONDS,
    ),
    row(`${without}, where nothing is prepared, seconds`, empty, 'unpreparedSeconds', COLD_GOAL_SECONDS),
    row('restart to ready on the demo data, seconds', played, 'restartSeconds', RESTART_GOAL_SECONDS),
    row('restart to ready without demo data, seconds', empty, 'restartSeconds', RESTART_GOAL_SECONDS),
    row('memory of the idle sandbox that has made its demo data, MB', played, 'memoryMb', MEMORY_GOAL_MB),
  ]
}

/** The median counts; all of them are shown. */
function row(what: string, starts: readonly Start[], of: keyof Start, goal?: number): Row {
  const values = starts.map((start) => start[of]).toSorted((one, other) => one - other)
  const median = values[Math.floor(values.length / 2)] ?? Number.NaN
  const figures = values.map((value) => value.toFixed(1)).join(', ')
  if (goal === undefined) return withoutGoal('P9', what, median, figures)
  return atMost('P9', what, median, goal, figures)
}

async function measureStarts(environment: Record<string, string>): Promise<Start[]> {
  const starts: Start[] = []
  for (let start = 0; start < COLD_STARTS; start += 1) starts.push(await measureStart(environment))
  return starts
}

async function measureStart(environment: Record<string, string>): Promise<Start> {
  const directory = temporaryDirectory()
  const port = await freePort()
  /** Each of its own: what one compiles, the other does not find. */
  const installationOf = (name: string, preparedDirectory: string) => ({
    port,
    dataDir: `${directory.path}/${name}/data`,
    environment: {
      NODE_COMPILE_CACHE: `${directory.path}/${name}/compiled`,
      PREPARED_DIR: preparedDirectory,
      ...environment,
    },
    asCommand: true,
  })
  try {
    const prepared = installationOf('prepared', `${directory.path}/copies`)
    const preparation = await timed(() => runService({ ...prepared, asCommand: false, preparesOnly: true }))
    const first = await timed(() => startService(prepared))
    await first.result.end('SIGTERM')
    if (!first.result.output().includes('as a copy')) throw new Error('no prepared copy was taken')
    const again = await timed(() => startService(prepared))
    await again.result.end('SIGTERM')

    const unprepared = await timed(() => startService(installationOf('unprepared', 'off')))
    await delay(UNTIL_IDLE_MS)
    const memoryMb = residentMemoryMb(unprepared.result.process.pid ?? 0)
    await unprepared.result.end('SIGTERM')
    return {
      preparationSeconds: preparation.seconds,
      preparedSeconds: first.seconds,
      restartSeconds: again.seconds,
      unpreparedSeconds: unprepared.seconds,
      memoryMb,
    }
  } finally {
    directory.remove()
  }
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const startedAtMs = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - startedAtMs) / 1000 }
}

/** Of the process and all below it. Pages that PostgreSQL's processes share are counted once, by their proportional share. */
function residentMemoryMb(pid: number): number {
  const children = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const family = new Set([pid])
  let size = 0
  while (family.size > size) {
    size = family.size
    for (const [child = 0, parent = 0] of children) if (family.has(parent)) family.add(child)
  }
  const kilobytes = [...family].map((member) => {
    try {
      const text = execFileSync('grep', ['^Pss:', `/proc/${member}/smaps_rollup`], { encoding: 'utf8' })
      return Number(text.replace(/\D+/g, ''))
    } catch {
      return 0
    }
  })
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024
}
