import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { sendBurst } from './burst.ts'

/** A server in a process of its own that says its port, and its CPU time when asked. */
export interface Contender {
  name: string
  port: number
  cpuMicros(): Promise<number>
  stop(): Promise<void>
}

/** Starts `script <name>`; it must send `{ port }` and reply to the message 'cpu' with `{ cpuMicros }`. */
export async function startContender(
  script: string,
  name: string,
  environment: Record<string, string> = {},
): Promise<Contender> {
  const env = { ...process.env, ...environment }
  const child = fork(script, [name], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env })
  const [{ port }] = await Promise.race([
    once(child, 'message') as Promise<[{ port: number }]>,
    once(child, 'exit').then(() => Promise.reject(new Error(`${name} did not start`))),
  ])
  return {
    name,
    port,
    async cpuMicros() {
      child.send('cpu')
      const [{ cpuMicros }] = (await once(child, 'message')) as [{ cpuMicros: number }]
      return cpuMicros
    },
    stop: () => stopChild(child),
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/** What a contender's process calls once it listens. */
export function reportTo(parent: NodeJS.Process, port: number): void {
  parent.on('message', (message) => {
    const { user, system } = parent.cpuUsage()
    if (message === 'cpu') parent.send?.({ cpuMicros: user + system })
  })
  parent.send?.({ port })
}

export interface Round {
  cpuMicrosPerRequest: number
  requestsPerSecond: number
}

export interface Load {
  path: string
  headers?: Record<string, string>
  connections: number
  seconds: number
}

/** One burst of requests; every response must be 200. CPU per request is the steady figure, requests per second the loud one. */
export async function measureRound(contender: Contender, load: Load): Promise<Round> {
  const before = await contender.cpuMicros()
  const { connections, seconds, path, headers = {} } = load
  const sent = await sendBurst(contender.port, { connections, next: () => ({ path, headers }) }, { seconds })
  const cpuMicros = (await contender.cpuMicros()) - before
  if (sent.failures > 0) throw new Error(`${contender.name}: ${sent.failures} responses were not 2xx`)
  return {
    cpuMicrosPerRequest: cpuMicros / sent.count,
    requestsPerSecond: sent.count / sent.seconds,
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
