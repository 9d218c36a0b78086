import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginningOf, descendantsOf, killAll, signal } from './children.ts'
import { removeNamespaces } from './cluster/machines.ts'

const PREFIX = 'marketplace-failover-'

export const directoryOf = (pid: number): string => join(tmpdir(), `${PREFIX}${pid}`)

/** What runs that were killed themselves have left: their processes, which are on record, and their networks. */
export function endLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.replace(PREFIX, ''))
    if (!name.startsWith(PREFIX) || signal(pid, 0)) continue
    const directory = directoryOf(pid)
    const left = readRecords(join(directory, 'pids'))
    if (left.length > 0) console.log(`Ending ${left.length} processes that an earlier run has left`)
    killAll(left.flatMap((one) => [one, ...descendantsOf(one)]))
    removeNamespaces(pid)
    rmSync(join(directory, 'pids'), { recursive: true, force: true })
  }
}

/** A number may be of another process by now; that one has begun at another time. */
function readRecords(records: string): number[] {
  try {
    return readdirSync(records)
      .map(Number)
      .filter((pid) => beginningOf(pid) === readFileSync(join(records, String(pid)), 'utf8'))
  } catch {
    return []
  }
}
