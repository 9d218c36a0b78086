// Makes a sandbox for its copy alone, in a folder that is thrown away: the service, which starts next in the same
// environment, begins with that copy. It does nothing where the service would make none, and where it would not start it
// says nothing: the service says why.
import { flushCompileCache } from 'node:module'
import { inspect } from 'node:util'
import { checkPort } from './check-port.ts'
import type { Config } from './config/config.ts'
import { readConfig } from './config/read-config.ts'
import { type Closer, checkRole, isAllEmbedded, isToBeMade, openData } from './data.ts'
import { StartupError } from './platform/db/startup-error.ts'
import { createLog, type Log, type Logs } from './platform/log/log.ts'
import { createScrub, type Scrub } from './platform/log/scrub.ts'
import { openPreparedSandboxes, type PreparedSandboxes } from './prepared/prepared-sandboxes.ts'
import { newWorkshop, removeWorkshop } from './prepared/workshop.ts'
import { stopOnSignals } from './stop-on-signals.ts'

const stopping = new AbortController()
let scrub: Scrub = (text) => text

async function main(): Promise<void> {
  const config = readConfig(process.env)
  scrub = createScrub(config.secrets)
  const logs = createLog({ level: config.logLevel, scrub })
  const prepared = await placeOfWanted(config, logs.log)
  if (prepared === undefined) return
  let making: Promise<void> | undefined
  stopOnSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], logs.log, async () => {
    stopping.abort()
    await making
  })
  console.log('Preparing the sandbox (once)')
  making = make(prepared, config, logs)
  await making
  // What was compiled for this is half of what the service needs, which comes next.
  flushCompileCache()
}

/** Says so in a line where there is no copy then. */
async function make(prepared: PreparedSandboxes, config: Config, logs: Logs): Promise<void> {
  try {
    const workshop = newWorkshop(prepared.home)
    try {
      await makeCopy({ ...config, dataDir: workshop }, logs)
    } finally {
      // The next start removes what cannot be removed now.
      await removeWorkshop(workshop, logs.log).catch(() => undefined)
    }
    if (prepared.find() === undefined)
      throw new Error(`there is no copy in ${prepared.home}, and the log says why`)
  } catch (error) {
    if (stopping.signal.aborted) return
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    console.error(scrub(`The sandbox could not be prepared, so the start makes it: ${reason}`))
  }
}

/** Where copies are kept, if the service would begin with one and there is none. Throws where it would not start. */
async function placeOfWanted(config: Config, log: Log): Promise<PreparedSandboxes | undefined> {
  if (!isAllEmbedded(config) || !isToBeMade(config.dataDir)) return undefined
  const prepared = openPreparedSandboxes(config, log)
  if (prepared === undefined || prepared.find() !== undefined) return undefined
  checkRole(config)
  await checkPort(config)
  return prepared
}

async function makeCopy(config: Config, logs: Logs): Promise<void> {
  const closers: Closer[] = []
  try {
    const data = await openData(config, logs.log, closers, { isDurable: false })
    const { beginEmbeddedChain } = await import('./embedded-chain.ts')
    const embeddedChain = (await beginEmbeddedChain(config, data, closers))?.started
    const { openOutside } = await import('./service.ts')
    const say = (line: string) => console.log(line)
    await openOutside(config, logs, { data, embeddedChain, closers, say, stopping: stopping.signal })
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

// Node would print what nobody caught as it is, with every secret in its text.
process.on('uncaughtException', (error) => {
  console.error(scrub(inspect(error)))
  process.exit(1)
})

try {
  await main()
} catch (error) {
  // The service says what is wrong, in the same words, when it starts next.
  if (!(error instanceof StartupError)) console.error(scrub(inspect(error)))
}
process.exit()
