import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { endWithUs } from '../../scripts/testing/end-with-us.ts'

const END_LIMIT_MS = 15_000

export interface Child {
  name: string
  process: ChildProcess
  /** Resolves when it has ended, however that came. */
  exited: Promise<unknown>
  isRunning(): boolean
  end(signal: NodeJS.Signals): Promise<void>
}

export interface Children {
  start(name: string, command: readonly string[], options?: StartOptions): Child
  /** Ends all that still run, and their descendants. */
  endAll(): Promise<void>
}

export interface StartOptions {
  environment?: Record<string, string>
}

/** Processes of one run. Each writes its output to a file of its own, and is on record while it runs. */
export function createChildren(directory: string): Children {
  const logs = join(directory, 'logs')
  const records = join(directory, 'pids')
  mkdirSync(logs, { recursive: true })
  mkdirSync(records, { recursive: true })
  const running = new Set<Child>()

  return {
    start(name, [program = '', ...args], { environment = {} } = {}) {
      const log = openSync(join(logs, `${name}.log`), 'a')
      const child = spawn(program, args, {
        env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...environment },
        stdio: ['ignore', log, log],
        // Of its own group: a Ctrl-C must reach the run alone, which then ends them in their order.
        detached: true,
      })
      closeSync(log)
      endWithUs(child)

      const exited = once(child, 'exit').catch(() => undefined)
      const record = join(records, String(child.pid))
      writeFileSync(record, beginningOf(child.pid ?? 0))
      const started: Child = {
        name,
        process: child,
        exited,
        isRunning: () => child.exitCode === null && child.signalCode === null,
        async end(signal) {
          if (!started.isRunning()) return
          child.kill(signal)
          const isOver = await Promise.race([exited.then(() => true), delay(END_LIMIT_MS, false)])
          if (isOver) return
          child.kill('SIGKILL')
          await exited
        },
      }
      running.add(started)
      void exited.then(() => {
        running.delete(started)
        rmSync(record, { force: true })
      })
      return started
    },

    async endAll() {
      const all = [...running]
        .map(({ process: { pid } }) => pid ?? 0)
        .flatMap((pid) => [pid, ...descendantsOf(pid)])
      killAll(all)
      await Promise.all([...running].map(({ exited }) => exited))
    },
  }
}

/** Kills at once, as a machine that loses its power. Stopped processes are killed too. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) signal(pid, 'SIGKILL')
}

/** False when there is no such process any more. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Children, their children, and so on. */
export function descendantsOf(pid: number): number[] {
  const parents = readProcesses()
  const found: number[] = []
  let parentsToVisit = [pid]
  while (parentsToVisit.length > 0) {
    const next = parents
      .filter(({ parent }) => parentsToVisit.includes(parent))
      .map(({ pid: child }) => child)
    found.push(...next)
    parentsToVisit = next
  }
  return found
}

/** When a process began, in the system's own units; empty when there is none. */
export function beginningOf(pid: number): string {
  try {
    return fieldsOf(String(pid))[19] ?? ''
  } catch {
    return ''
  }
}

/** The title that a process shows, such as `postgres: walsender`. */
export function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function readProcesses(): { pid: number; parent: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent] = fieldsOf(name)
        return [{ pid: Number(name), parent: Number(parent) }]
      } catch {
        return []
      }
    })
}

/** The name of a program may hold spaces and brackets; what follows the last bracket does not. */
function fieldsOf(pid: string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
