import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Connection } from '../../platform/db/connection.ts'

export interface SpawnedService {
  readonly process: ChildProcess
  readonly connection?: Connection
  readonly refusal?: string
  /** Sends the signal and resolves when the process is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** Runs `run-service.ts` in a process of its own and waits until it has started or refused to. */
export async function spawnService(
  directory: string,
  identity?: { uid: number; gid: number },
): Promise<SpawnedService> {
  const script = fileURLToPath(new URL('run-service.ts', import.meta.url))
  const account = identity === undefined ? [] : [String(identity.uid), String(identity.gid)]
  const child = spawn(process.execPath, [script, directory, ...account], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [line] = await once(createInterface(child.stdout), 'line')
  return {
    ...JSON.parse(line),
    process: child,
    async end(signal) {
      child.kill(signal)
      await exited
    },
  }
}
