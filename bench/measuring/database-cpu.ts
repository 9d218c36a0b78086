import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'
import pg from 'pg'
import type { Connection } from '../../packages/server/src/platform/db/connection.ts'

/** Linux counts CPU time in hundredths of a second. */
const MICROS_PER_TICK = 10_000

/** The CPU time of a PostgreSQL server with all its processes so far; Linux only. */
export async function openDatabaseCpu(connection: Connection): Promise<() => number> {
  if (platform() !== 'linux') return () => Number.NaN
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const server = statOf(String(rows[0]?.pid))?.parent
  await client.end()
  return () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => ({ pid, stat: statOf(pid) }))
      .filter(({ pid, stat }) => pid === server || stat?.parent === server)
      .map(({ pid, stat }) => (stat?.ticks ?? 0) + (pid === server ? (stat?.endedTicks ?? 0) : 0))
      .reduce((sum, ticks) => sum + ticks, 0) * MICROS_PER_TICK
}

interface Stat {
  parent: string
  ticks: number
  /** Of its children that have ended. */
  endedTicks: number
}

/** A process may end between two looks. The name in brackets may hold blanks, so the fields are counted from its end. */
function statOf(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticksAt = (place: number) => Number(fields[place]) + Number(fields[place + 1])
    return { parent: fields[1] ?? '', ticks: ticksAt(11), endedTicks: ticksAt(13) }
  } catch {
    return undefined
  }
}
