import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Cluster } from '../../failover/cluster/cluster.ts'
import type { Machine } from '../../failover/cluster/machines.ts'

const COMMAND_LIMIT_MS = 120_000

interface Options {
  /** What is typed. */
  input?: string
  environment?: Record<string, string>
}

/** Runs a command on a machine, as the account of PostgreSQL, and returns what it printed. */
export async function runOn(
  machine: Machine,
  command: readonly string[],
  { input = '', environment }: Options = {},
): Promise<string> {
  const [program = '', ...args] = machine.run(command)
  const running = promisify(execFile)(program, args, {
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...environment },
    timeout: COMMAND_LIMIT_MS,
    killSignal: 'SIGKILL',
  })
  // One that has ended reads no more; its exit says how it went.
  running.child.stdin?.on('error', () => undefined).end(input)
  const { stdout } = await running
  return stdout
}

export function patronictl(
  { postgres }: Cluster,
  machine: Machine,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const { settings } = postgres.filesOf(machine)
  return runOn(machine, ['/usr/bin/patronictl', '-c', settings, ...args], { input })
}
