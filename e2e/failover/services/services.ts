import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { builtProgram } from '../../service/built-program.ts'
import { freePort } from '../../service/service-process.ts'
import type { Child, Children } from '../children.ts'
import { statusOf, waitFor } from '../wait.ts'

const READY_LIMIT_MS = 120_000
/** RestartSec of the units in deploy/systemd. */
const RESTART_PAUSE_MS = 2_000

export interface Service {
  name: string
  url: string
  pid(): number | undefined
  /** Kills it; its supervisor starts it again. */
  kill(): Promise<void>
  /** Ends it in good order, and starts it again. */
  restart(): Promise<void>
  untilReady(): Promise<void>
  /** Ends it for good. */
  stop(): Promise<void>
  /** How often it ended without having been asked to. */
  exits(): number
}

interface Deps {
  children: Children
  directory: string
  environment: Record<string, string>
}

/** One process of the service, kept running as systemd keeps it. */
export async function startService(
  name: string,
  role: 'api' | 'worker' | 'all',
  deps: Deps,
): Promise<Service> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const dataDir = join(deps.directory, name)
  mkdirSync(dataDir, { recursive: true })
  const start = (): Child =>
    deps.children.start(name, [process.execPath, builtProgram('server/src/main.ts')], {
      environment: { ...deps.environment, ROLE: role, PORT: String(port), DATA_DIR: dataDir },
    })
  let isWanted = true
  let exits = 0
  let expectedEnd: Child | undefined
  let running = start()

  async function supervise(): Promise<void> {
    while (isWanted) {
      await running.exited
      if (running !== expectedEnd) exits += 1
      if (!isWanted) return
      await delay(RESTART_PAUSE_MS)
      if (isWanted) running = start()
    }
  }
  void supervise()

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    expectedEnd = running
    await running.end(signal)
  }
  const untilReady = () =>
    waitFor(
      `${name} to be ready`,
      READY_LIMIT_MS,
      async () => (await statusOf(`${url}/health/ready`)) === 200,
    ).then(() => undefined)
  const untilOther = (ended: Child) =>
    waitFor(`${name} to start again`, READY_LIMIT_MS, async () => running !== ended)

  return {
    name,
    url,
    pid: () => running.process.pid,
    async kill() {
      const killed = running
      await end('SIGKILL')
      await untilOther(killed)
    },
    async restart() {
      const ended = running
      await end('SIGTERM')
      const { exitCode, signalCode } = ended.process
      if (exitCode !== 0) throw new Error(`${name} did not stop in good order: ${exitCode ?? signalCode}`)
      await untilOther(ended)
      await untilReady()
    },
    untilReady,
    async stop() {
      isWanted = false
      await end('SIGTERM')
    },
    exits: () => exits,
  }
}
