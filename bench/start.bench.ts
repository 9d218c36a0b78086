import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { freePort, startService, temporaryDirectory } from '../e2e/service-process.ts'
import type { Row } from './rows.ts'

const COLD_GOAL_SECONDS = 10
const RESTART_GOAL_SECONDS = 4
const MEMORY_GOAL_MB = 600

/** P9: seconds from the command to ready, on an empty data directory and on a used one, and the memory of all its processes. */
export async function benchStart(): Promise<Row[]> {
  const directory = temporaryDirectory()
  const options = { dataDir: `${directory.path}/data`, port: await freePort() }
  const timed = async () => {
    const startedAtMs = performance.now()
    const service = await startService(options)
    return { service, seconds: (performance.now() - startedAtMs) / 1000 }
  }
  const cold = await timed()
  await cold.service.end('SIGTERM')
  const warm = await timed()
  const memoryMb = residentMemoryMb(warm.service.process.pid ?? 0)
  await warm.service.end('SIGTERM')
  rmSync(directory.path, { recursive: true, force: true })
  return [
    row('P9', 'cold start to ready without demo data, seconds', cold.seconds, COLD_GOAL_SECONDS),
    row('P9', 'restart to ready, seconds', warm.seconds, RESTART_GOAL_SECONDS),
    row('P9', 'resident memory of the whole sandbox, MB', memoryMb, MEMORY_GOAL_MB),
  ]
}

function row(id: string, what: string, value: number, goal: number): Row {
  return { id, what, ratio: value, goal: `≤ ${goal}`, reached: value <= goal, figures: `${value.toFixed(1)}` }
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
