import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../../../../scripts/testing/machine.ts'

const binary = findProgram('redis-server')

/** Redis is not an npm package. `npm test` says loudly when it is missing, and fails in CI. */
export const hasRedis = binary !== undefined

export interface TestRedis {
  url: string
  stop(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** A real redis-server on a unix socket of its own, which can be stopped and started again. */
export async function startTestRedis(): Promise<TestRedis> {
  const directory = mkdtempSync(join(tmpdir(), 'redis-'))
  const socket = join(directory, 'redis.sock')
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    server = spawn(binary ?? 'redis-server', [
      '--port',
      '0',
      '--unixsocket',
      socket,
      '--save',
      '',
      '--dir',
      directory,
    ])
    for await (const chunk of server.stdout ?? [])
      if (String(chunk).includes('eady to accept connections')) break
    server.stdout?.resume()
  }
  async function stop(): Promise<void> {
    if (!server || server.exitCode !== null) return
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  }
  await start()
  return {
    url: `unix://${socket}`,
    start,
    stop,
    async remove() {
      await stop()
      rmSync(directory, { recursive: true })
    },
  }
}
