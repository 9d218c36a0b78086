import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import {
  freePort,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../e2e/service/service-process.ts'
import { atMost, type Row } from './measuring/rows.ts'

const COLD_GOAL_SECONDS = 2.5
const COLD_WITH_DEMO_GOAL_SECONDS = 7
const RESTART_GOAL_SECONDS = 1.5
const MEMORY_GOAL_MB = 400

const COLD_STARTS = 3

/** Connections to the database that nobody needs any more are closed after ten seconds. */
const UNTIL_IDLE_MS = 15_000

interface Start {
  coldSeconds: number
  copiedSeconds: number
  restartSeconds: number
  memoryMb: number
}

/**
 * P9: seconds from the command to ready, on an empty data directory and on a used one, and the memory of all its
 * processes once nobody has used it for a while. As everybody meets it, with twelve weeks of demo data; and without them,
 * to see their share. The first cold start is the first of its installation: nothing is compiled or prepared yet. A later one
 * on another empty directory takes the copy that the first has kept.
 */
export async function benchStart(): Promise<Row[]> {
  const played = await measureStarts({ DEMO: 'on' })
  const empty = await measureStarts({ DEMO: 'off' })
  const cold = 'cold start to ready'
  return [
    row(
      `${cold} with the demo data, from the prepared copy, seconds`,
      played,
      'copiedSeconds',
      COLD_WITH_DEMO_GOAL_SECONDS,
    ),
    row(
      `${cold} with the demo data, where nothing is prepared, seconds`,
      played,
      'coldSeconds',
      COLD_WITH_DEMO_GOAL_SECONDS,
    ),
    row(
      `${cold} without demo data, from the prepared copy, seconds`,
      empty,
      'copiedSeconds',
      COLD_GOAL_SECONDS,
    ),
    row(
      `${cold} without demo data, where nothing is prepared, seconds`,
      empty,
      'coldSeconds',
      COLD_GOAL_SECONDS,
    ),
    row('restart to ready on the demo data, seconds', played, 'restartSeconds', RESTART_GOAL_SECONDS),
    row('restart to ready without demo data, seconds', empty, 'restartSeconds', RESTART_GOAL_SECONDS),
    row('memory of the idle sandbox after its cold start, MB', played, 'memoryMb', MEMORY_GOAL_MB),
  ]
}

/** The median counts; all of them are shown. */
function row(what: string, starts: readonly Start[], of: keyof Start, goal: number): Row {
  const values = starts.map((start) => start[of]).toSorted((one, other) => one - other)
  const median = values[Math.floor(values.length / 2)] ?? Number.NaN
  return atMost('P9', what, median, goal, values.map((value) => value.toFixed(1)).join(', '))
}

async function measureStarts(environment: Record<string, string>): Promise<Start[]> {
  const starts: Start[] = []
  for (let start = 0; start < COLD_STARTS; start += 1) starts.push(await measureStart(environment))
  return starts
}

async function measureStart(environment: Record<string, string>): Promise<Start> {
  const directory = temporaryDirectory()
  const options = {
    port: await freePort(),
    environment: {
      NODE_COMPILE_CACHE: `${directory.path}/compiled`,
      PREPARED_DIR: `${directory.path}/prepared`,
      ...environment,
    },
    asCommand: true,
  }
  const timed = async (data: string): Promise<{ service: ServiceProcess; seconds: number }> => {
    const startedAtMs = performance.now()
    const service = await startService({ ...options, dataDir: `${directory.path}/${data}` })
    return { service, seconds: (performance.now() - startedAtMs) / 1000 }
  }
  try {
    const cold = await timed('first')
    await delay(UNTIL_IDLE_MS)
    const memoryMb = residentMemoryMb(cold.service.process.pid ?? 0)
    await cold.service.end('SIGTERM')
    const warm = await timed('first')
    await warm.service.end('SIGTERM')
    const copied = await timed('second')
    await copied.service.end('SIGTERM')
    if (!copied.service.output().includes('as a copy')) throw new Error('no prepared copy was taken')
    return {
      coldSeconds: cold.seconds,
      copiedSeconds: copied.seconds,
      restartSeconds: warm.seconds,
      memoryMb,
    }
  } finally {
    directory.remove()
  }
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
