import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { BaseLogger } from 'pino'

const pollMs = 20

/** A fast stop first; then one without a checkpoint; then none at all. The data survives each of them. */
const stopSteps = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

interface PostmasterFile {
  pid: number
  socketDir: string
  status: string
}

/** What a running or killed server wrote about itself into its cluster. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const content = await readFile(pathOf(cluster), 'utf8').catch(() => '')
  const [pid, , , , socketDir = '', , , status = ''] = content.split('\n').map((line) => line.trim())
  return pid ? { pid: Number(pid), socketDir, status } : undefined
}

/** Stops the server of a service that was killed and could not stop it. Returns its socket directory, which nobody needs any more. */
export async function stopLeftover(cluster: string, log: BaseLogger): Promise<string | undefined> {
  const file = await readPostmasterFile(cluster)
  if (file === undefined) return undefined
  if (await isServerOf(file.pid, cluster)) {
    log.warn({ pid: file.pid }, 'stopping the database of a service that was killed')
    await stopProcess(file.pid, cluster)
  } else if (isAlive(file.pid)) {
    await disown(cluster, file.pid)
  }
  return file.socketDir || undefined
}

async function stopProcess(pid: number, cluster: string): Promise<void> {
  for (const { signal, waitMs } of stopSteps) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    const deadline = performance.now() + waitMs
    while (performance.now() < deadline) {
      if (!(await isServerOf(pid, cluster))) return
      await delay(pollMs)
    }
  }
  throw new Error(`The database process ${pid} does not end`)
}

/**
 * After a reboot the id in the file may belong to some other process, and PostgreSQL would refuse to start beside it.
 * To delete the file would also switch off its check for backends that still hold the shared memory. PostgreSQL ignores
 * the id of its own parent, so the file is kept and given ours.
 */
async function disown(cluster: string, pid: number): Promise<void> {
  const path = pathOf(cluster)
  const content = await readFile(path, 'utf8')
  await writeFile(path, content.replace(String(pid), String(process.pid)))
}

/** True for a living server on exactly this cluster; false for a zombie or for a process that merely has the same id. */
async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  return (await readCommand(pid)).includes(`postgres -D ${cluster} -c `)
}

async function readCommand(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return command.replaceAll('\0', ' ')
  }
  const ps = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return ps.stdout
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function pathOf(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}
