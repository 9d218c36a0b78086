import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { measurePullExactness } from '../src/features/subscriptions/testing/pull-exactness.ts'
import { startSubscriptionsOn } from '../src/features/subscriptions/testing/start-subscriptions-on.ts'
import { createDatabase } from '../src/platform/db/database.ts'
import { migrate, migrationsDirectory } from '../src/platform/db/migrate.ts'
import { startThrowAwayPostgres } from './throw-away-postgres.ts'

/**
 * Counts pulls: `pull-exactness.ts [--subscriptions 50] [--periods 24] [--seed N]`. Two workers at once, killed at random
 * steps, on a real PostgreSQL and a real EVM. Ends with an error unless every period was pulled exactly once.
 */
const { values } = parseArgs({
  options: {
    subscriptions: { type: 'string', default: '50' },
    periods: { type: 'string', default: '24' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
  },
})
const [subscriptions, periods, seed] = [values.subscriptions, values.periods, values.seed].map(Number)
if (!subscriptions || !periods || seed === undefined) throw new Error('the options are numbers')

const log = pino({ level: 'silent' })
const { connection, close } = await startThrowAwayPostgres('pull-exactness')
await migrate({ connection, directory: migrationsDirectory, log })
const db = createDatabase({ connection, poolSize: 25, log })
const api = await startSubscriptionsOn({ db, connection, close: () => db.close() }, { waitMs: 0 })
try {
  const startedMs = performance.now()
  const measured = await measurePullExactness(api, { subscriptions, periods, seed })
  const seconds = Math.round(performance.now() - startedMs) / 1000
  console.log(JSON.stringify({ subscriptions, periods, seed, seconds, ...measured }))
  const expected = subscriptions * periods
  const { pullsOnChain, pullsInBooks, entriesInJournal, extra, missing, breaches } = measured
  const isExact = [pullsOnChain, pullsInBooks, entriesInJournal].every((pulls) => pulls === expected)
  if (!isExact || extra + missing + breaches !== 0) process.exitCode = 1
} finally {
  await api.close()
  await close()
}
