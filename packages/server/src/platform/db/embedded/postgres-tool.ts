import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Account } from './postgres-account.ts'

/** PostgreSQL starts clean: no PG* variables of the operator, no locale, and a working directory that every account can enter. */
export function spawnOptions(account: Account | undefined): SpawnOptions {
  const identity = account === undefined ? {} : { uid: account.uid, gid: account.gid }
  return { ...identity, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' } }
}

interface ToolOptions {
  program: string
  args: string[]
  account: Account | undefined
}

/** Runs a program of PostgreSQL to its end and throws with its own words when it fails. */
export async function runPostgresTool({ program, args, account }: ToolOptions): Promise<void> {
  const child = spawn(program, args, { ...spawnOptions(account), stdio: ['ignore', 'ignore', 'pipe'] })
  const complaint = child.stderr === null ? '' : text(child.stderr)
  const [exitCode] = await once(child, 'close')
  if (exitCode !== 0) throw new Error(`${program} ended with ${exitCode}: ${(await complaint).trim()}`)
}
