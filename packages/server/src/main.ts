import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import type { Config } from './config/config.ts'
import { readConfig } from './config/read-config.ts'
import { type Closer, openData } from './data.ts'
import { StartupError } from './platform/db/startup-error.ts'
import { createLog, type Log, type Logs } from './platform/log/log.ts'
import { createScrub, type Scrub } from './platform/log/scrub.ts'
import { askForReset } from './sandbox-reset.ts'

const STOP_LIMIT_MS = 10_000
const SAME_SIGNAL_MS = 1_000

const isLoopback = (host: string) => /^(?:127\.|::1$|localhost$)/.test(host)

/** Asked before anything is opened, so that a taken port costs no wait. */
async function checkPort({ host, port }: Config): Promise<void> {
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
  } catch (error) {
    const { code } = error as { code?: string }
    const problem =
      code === 'EADDRINUSE'
        ? `port ${port} is taken. Stop what uses it or set PORT.`
        : `may not listen on ${host}:${port} (${code}).`
    throw new StartupError(`Cannot start: ${problem}`, { cause: error })
  }
  probe.close()
  await once(probe, 'close')
}

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
    if (data.isCopied) say('It begins as a copy of an earlier sandbox. PREPARED_DIR=off makes a new one.')
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
    stopOnSignals(logs.log, async () => {
      stopping.abort()
      // What a start is just opening must be there before it can be closed.
      await starting.catch(() => undefined)
      await closeAll()
    })
    await run(config, logs)
  })
}

/**
 * The first signal finishes what is under way; a second one, or ten seconds, ends the process at once. One Ctrl-C arrives
 * several times: from the terminal, and from every process in between that passes it on. Those count as one.
 */
function stopOnSignals(log: Log, end: () => Promise<void>): void {
  let stoppingSinceMs: number | undefined
  const stop = async (signal: string) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSinceMs = performance.now()
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    await end()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal))
}

await main()
