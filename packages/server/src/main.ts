import { flushCompileCache } from 'node:module'
import { inspect } from 'node:util'
import { checkPort } from './check-port.ts'
import type { Config } from './config/config.ts'
import { readConfig } from './config/read-config.ts'
import { type Closer, openData } from './data.ts'
import { StartupError } from './platform/db/startup-error.ts'
import { createLog, type Logs } from './platform/log/log.ts'
import { createScrub, type Scrub } from './platform/log/scrub.ts'
import { askForReset } from './sandbox-reset.ts'
import { stopOnSignals } from './stop-on-signals.ts'

const isLoopback = (host: string) => /^(?:127\.|::1$|localhost$)/.test(host)

async function main(): Promise<void> {
  const closers: Closer[] = []
  const stopping = new AbortController()
  let starting: Promise<void> = Promise.resolve()
  let flushLog = () => {}
  let scrub: Scrub = (text) => text
  // Node would print what nobody caught as it is, with every secret in its text.
  process.on('uncaughtException', (error) => {
    flushLog()
    console.error(scrub(inspect(error)))
    process.exit(1)
  })
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close()
    flushLog()
  }
  const run = async (config: Config, logs: Logs): Promise<void> => {
    const startedAtMs = performance.now()
    const reset = () => void orExit(() => startOver(config, logs))
    await checkPort(config)
    const data = await openData(config, logs.log, closers)
    // The database starts in a process of its own, and the chain in a thread, while the service is loaded in this one.
    const { beginEmbeddedChain } = await import('./embedded-chain.ts')
    const embeddedChain = (await beginEmbeddedChain(config, data, closers))?.started
    const { startService } = await import('./service.ts')
    const say = (line: string) => console.log(line)
    if (data.isCopied) say('It begins as a copy of the prepared sandbox. PREPARED_DIR=off makes a new one.')
    await startService(config, logs, {
      data,
      embeddedChain,
      closers,
      reset,
      say,
      stopping: stopping.signal,
    })
    const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1)
    console.log(
      `Agent Marketplace (${config.mode}) is ready at ${config.publicUrl.origin} after ${seconds} s`,
    )
    // Node keeps what it compiled when a process ends by itself; one that is killed would leave nothing for the next start.
    flushCompileCache()
    if (config.mode === 'sandbox')
      console.log(`The documentation is at /docs. All data is kept in ${config.dataDir}; Ctrl-C stops it.`)
    if (config.mode === 'sandbox' && !isLoopback(config.host))
      console.log(`HOST=${config.host}: everyone who reaches it has its test keys and may reset it.`)
  }
  const startOver = async (config: Config, logs: Logs): Promise<void> => {
    console.log('The sandbox starts over.')
    await askForReset(config.dataDir)
    await closeAll()
    await run(config, logs)
  }
  const orExit = async (work: () => Promise<void>): Promise<void> => {
    try {
      starting = work()
      await starting
    } catch (error) {
      if (stopping.signal.aborted) return
      await closeAll().catch(() => undefined)
      console.error(scrub(error instanceof StartupError ? error.userMessage : inspect(error)))
      process.exit(1)
    }
  }
  await orExit(async () => {
    const config = readConfig(process.env)
    scrub = createScrub(config.secrets)
    const logs = createLog({ level: config.logLevel, scrub })
    flushLog = logs.flush
    stopOnSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], logs.log, async () => {
      stopping.abort()
      // What a start is just opening must be there before it can be closed.
      await starting.catch(() => undefined)
      await closeAll()
    })
    await run(config, logs)
  })
}

await main()
