import { readdirSync, readFileSync } from 'node:fs'
import { readPostmasterFile } from '../../packages/server/src/platform/db/embedded/postgres-leftover.ts'

/** To a database server and all its processes: with the server alone, those that serve somebody would serve on for a while. */
export async function signalDatabase(cluster: string, signal: NodeJS.Signals): Promise<void> {
  for (const pid of await processesOf(cluster)) tryKill(pid, signal)
}

async function processesOf(cluster: string): Promise<number[]> {
  const server = (await readPostmasterFile(cluster))?.pid
  if (server === undefined) return []
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === server)
  return [server, ...children.map(Number)]
}

function parentOf(pid: string): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}
