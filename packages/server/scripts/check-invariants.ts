// Audits the books against the chain. Prints the rows that break a rule and exits 1 if there are any.
// It works beside a running service (its database, and its chain at PUBLIC_URL/rpc) and on a stopped data directory.
import { openAdapters } from '../src/adapters.ts'
import type { Config } from '../src/config/config.ts'
import { readConfig } from '../src/config/read-config.ts'
import type { Closer } from '../src/data.ts'
import { chainStartOf } from '../src/demo/span.ts'
import { allInvariants } from '../src/invariants.ts'
import type { InvariantDeps } from '../src/money/audit/invariant.ts'
import { checkInvariants } from '../src/money/audit/invariants.ts'
import { StartupError } from '../src/platform/db/startup-error.ts'
import { createLog } from '../src/platform/log/log.ts'
import { createScrub } from '../src/platform/log/scrub.ts'
import { isFree, joinRunning } from './join-running.ts'

const ROWS_SHOWN = 50

/** Opens what the service would open itself, or joins the one that runs. */
async function open(config: Config, closers: Closer[]): Promise<InvariantDeps> {
  const needsDirectory = config.databaseUrl === undefined || config.chain === undefined
  if (needsDirectory && isFree(config.dataDir)) {
    return openAdapters(
      config,
      createLog({ level: 'error', scrub: createScrub(config.secrets) }),
      closers,
      chainStartOf(config),
    )
  }
  return joinRunning(config, closers)
}

const asText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value

const closers: Closer[] = []
try {
  const deps = await open(readConfig(process.env), closers)
  const breaches = await checkInvariants(deps, allInvariants)
  for (const { invariant, message, rows } of breaches) {
    console.error(`${invariant} is broken: ${message} (${rows.length} rows)`)
    for (const row of rows.slice(0, ROWS_SHOWN)) console.error(`  ${JSON.stringify(row, asText)}`)
  }
  if (breaches.length === 0) console.log(`${allInvariants.length} rules hold.`)
  process.exitCode = breaches.length === 0 ? 0 : 1
} catch (error) {
  console.error(error instanceof StartupError ? error.userMessage : error)
  process.exitCode = 2
} finally {
  for (const close of closers.reverse()) await close()
}
