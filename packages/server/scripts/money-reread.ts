// Compares the books with the chain again, block by block from `--from`, and adds what they miss. Doing it twice adds
// nothing twice. It leaves the work to a running service, or does it itself on a stopped data directory.
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openAdapters } from '../src/adapters.ts'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config/read-config.ts'
import type { Closer } from '../src/data.ts'
import { chainStartOf } from '../src/demo/span.ts'
import { orderReread, readReread } from '../src/money/following/reread-store.ts'
import { readStatus } from '../src/money/following/status.ts'
import { StartupError } from '../src/platform/db/startup-error.ts'
import { createLog } from '../src/platform/log/log.ts'
import { createScrub } from '../src/platform/log/scrub.ts'
import { isFree, joinRunning } from './join-running.ts'

const POLL_MS = 500

const { values } = parseArgs({ options: { from: { type: 'string' } } })
const closers: Closer[] = []
try {
  if (!/^\d+$/.test(values.from ?? '')) throw new StartupError('Say where to begin: --from BLOCK.')
  const fromBlock = BigInt(values.from ?? 0)
  const config = readConfig(process.env)
  const needsDirectory = config.databaseUrl === undefined || config.chain === undefined
  let advance = async (): Promise<void> => void (await pause(POLL_MS))
  let deps: Awaited<ReturnType<typeof joinRunning>>
  if (needsDirectory && isFree(config.dataDir)) {
    const opened = await openAdapters(
      config,
      createLog({ level: 'error', scrub: createScrub(config.secrets) }),
      closers,
      chainStartOf(config),
    )
    const { money, close } = await createApp(opened)
    closers.push(close)
    advance = async () => void (await money.runOnce())
    deps = opened
  } else {
    deps = await joinRunning(config, closers)
    console.log('A service is at work on these books: it does the comparing.')
  }
  const { db, chain } = deps
  const { chainId } = chain.facts
  const { id } = await orderReread(db, { chainId, fromBlock })
  let report = await readReread(db, id)
  let shownTenths = 0
  while (!report.isFinished) {
    await advance()
    report = await readReread(db, id)
    const { nextBlock, toBlock } = report
    if (toBlock === null || report.isFinished) continue
    const count = toBlock - report.fromBlock + 1n
    const tenths = Number(((nextBlock - report.fromBlock) * 10n) / count)
    if (tenths <= shownTenths) continue
    shownTenths = tenths
    console.log(
      `${nextBlock - report.fromBlock} of ${count} blocks compared, ${report.eventsAdded} events added so far.`,
    )
  }
  const { setAsideCount } = await readStatus(db, chainId)
  const { toBlock, eventsFound, eventsAdded } = report
  console.log(
    `Blocks ${report.fromBlock} to ${toBlock}: ${eventsFound} events on chain, ${eventsFound - eventsAdded} were in the books, ` +
      `${eventsAdded} were added. Jobs still set aside: ${setAsideCount}.`,
  )
} catch (error) {
  console.error(error instanceof StartupError ? error.userMessage : error)
  process.exitCode = 2
} finally {
  for (const close of closers.reverse()) await close()
}
