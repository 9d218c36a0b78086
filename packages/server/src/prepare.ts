// Makes a sandbox for its copy alone, in a folder that is thrown away: the service, which starts next in the same
// environment, begins with that copy. It does nothing where the service would make none, and where it would not start it
// says nothing: the service says why.
import { flushCompileCache } from 'node:module'
import { inspect } from 'node:util'
import { checkPort } from './check-port.ts'
import type { Config } from './config/config.ts'
import { readConfig } from './config/read-config.ts'
import { type Closer, isAllEmbedded, isToBeMade, openData } from './data.ts'
import { StartupError } from './platform/db/startup-error.ts'
import { createLog, type Log, type Logs } from './platform/log/log.ts'
import { createScrub, type Scrub } from './platform/log/scrub.ts'
import { openPreparedSandboxes } from './prepared/prepared-sandboxes.ts'
import { newWorkshop, removeWorkshop } from './prepared/workshop.ts'
import { stopOnSignals } from './stop-on-signals.ts'

const stopping = new AbortController()
let scrub: Scrub = (text) => text

async function main(): Promise<void> {
  const config = readConfig(process.env)
  scrub = createScrub(config.secrets)
  const logs = createLog({ level: config.logLevel, scrub })
  const home = await homeOfWanted(config, logs.log)
  if (home === undefined) return
  const workshop = newWorkshop(home)
  console.log('Preparing the sandbox (once)')
  const making = makeCopy({ ...config, dataDir: workshop }, logs).finally(() =>
    removeWorkshop(workshop, logs.log),
  )
  stopOnSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], logs.log, async () => {
    stopping.abort()
    await making.catch(() => undefined)
  })
  await making
  // What was compiled for this is half of what the service needs, which comes next.
  flushCompileCache()
}

/** Where copies are kept, if the service would begin with one and there is none. Throws where it would not start. */
async function homeOfWanted(config: Config, log: Log): Promise<string | undefined> {
  if (!isAllEmbedded(config) || !isToBeMade(config.dataDir)) return undefined
  const prepared = openPreparedSandboxes(config, log)
  if (prepared === undefined || prepared.find() !== undefined) return undefined
  await checkPort(config)
  return prepared.home
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
  const reason = error instanceof Error ? error.message : String(error)
  if (!(error instanceof StartupError) && !stopping.signal.aborted)
    console.error(scrub(`The sandbox could not be prepared, so the start makes it: ${reason}`))
}
process.exit()
