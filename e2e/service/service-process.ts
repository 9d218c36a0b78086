import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endWithUs } from '../../scripts/testing/end-with-us.ts'
import { builtProgram } from './built-program.ts'

const ownInstallation = join(import.meta.dirname, '../..')
const cacheDirectory = process.env.NODE_COMPILE_CACHE

/** As the command starts a program: what an earlier start has compiled need not be compiled again. */
export const compileCache: Record<string, string> = cacheDirectory
  ? { NODE_COMPILE_CACHE: cacheDirectory }
  : {}

const running = new Set<ChildProcess>()

/** For `afterAll`, and for runs that are interrupted: none is left, also none that was started meanwhile. */
export async function endServices(): Promise<void> {
  while (running.size > 0)
    await Promise.all(
      [...running].map(async (child) => {
        const exited = once(child, 'exit')
        child.kill('SIGTERM')
        await exited
      }),
    )
}

export interface ServiceProcess {
  url: string
  process: ChildProcess
  /** What it printed so far. */
  output(): string
  /** Sends the signal and gives the exit code, or null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export interface ServiceOptions {
  dataDir: string
  port: number
  environment?: Record<string, string>
  /** With everything that the command does first. Signals then reach the service by way of another process. */
  asCommand?: boolean
  /** The root of the installation whose command it is. */
  installation?: string
  /** What the command does while the page is being built: a sandbox is prepared, and nothing is served. */
  preparesOnly?: boolean
}

/** Starts the service and waits until it says that it is ready, or whatever else is to be waited for. */
export async function startService(options: ServiceOptions, until = 'is ready at'): Promise<ServiceProcess> {
  const service = spawnService(options)
  const lines = createInterface(service.process.stdout as NodeJS.ReadableStream)
  const ready = (async () => {
    for await (const line of lines) if (line.includes(until)) return true
    return false
  })()
  if (await ready) return service
  throw new Error(`the service did not start:\n${service.output()}`)
}

/** Runs the service to its end: its exit code and what it printed. */
export async function runService(options: ServiceOptions): Promise<{ code: number; output: string }> {
  const service = spawnService(options)
  const [code] = await once(service.process, 'exit')
  return { code, output: service.output() }
}

function spawnService(options: ServiceOptions): ServiceProcess {
  const { dataDir, port, environment } = options
  const child = spawn(process.execPath, programOf(options), {
    env: {
      PATH: process.env.PATH,
      ...compileCache,
      DATA_DIR: dataDir,
      // A start makes its own sandbox, whatever other tests have made.
      PREPARED_DIR: 'off',
      PORT: String(port),
      LOG_LEVEL: 'warn',
      DEMO: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  const exited = once(child, 'exit')
  running.add(child)
  endWithUs(child)
  child.once('exit', () => running.delete(child))
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    output: () => output,
    async end(signal) {
      child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}

function programOf({ asCommand, installation = ownInstallation, preparesOnly }: ServiceOptions): string[] {
  if (asCommand)
    return ['scripts/run.mjs', 'packages/server/src/main.ts'].map((path) => join(installation, path))
  return [builtProgram(preparesOnly ? 'server/src/prepare.ts' : 'server/src/main.ts')]
}

/**
 * A port that nobody listens on, below those that the system gives out by itself: one of these could be taken by any
 * connection before the service listens on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

export function temporaryDirectory(home = tmpdir()): { path: string; remove(): void } {
  const path = mkdtempSync(join(home, 'marketplace-'))
  // Open to pass through, so that the database's own account reaches its cluster where it lies, also when root runs this.
  chmodSync(path, 0o711)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
