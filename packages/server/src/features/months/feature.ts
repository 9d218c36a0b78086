import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import {
  countMonthsAhead,
  keepMonths,
  listUnarchived,
  MONTHS_LEASE,
  type Retention,
} from '../../platform/db/months/keep-months.ts'

const UPKEEP_SECONDS = 3_600
/** Below this many a person is notified: there is a month left to find out why. */
const LEAST_AHEAD = 2

interface Deps extends Ground {
  /** Those of all features. */
  retentions: readonly Retention[]
}

/** Keeps the partitions of tables that grow with traffic. */
export function defineFeature({
  db,
  log,
  config,
  clock,
  wallClock,
  alert,
  retentions,
}: Deps): Feature<undefined> {
  // In a sandbox one of the clocks can be moved.
  const now = () => new Date(Math.max(+clock.now(), +wallClock.now()))
  const { archiveDirectory } = config

  async function keepUp(signal: AbortSignal): Promise<void> {
    const problems = await keepMonths({ db, retentions, now: now(), archiveDirectory, log, signal })
    for (const { table, error } of problems)
      log.warn({ err: error, table }, 'months of a table are not kept now')
    const ahead = await countMonthsAhead(db, now())
    if (ahead < LEAST_AHEAD)
      await alert('MONTHS_BEHIND', { ahead, tables: [...new Set(problems.map(({ table }) => table))] })
    const unarchived = archiveDirectory === undefined ? [] : await listUnarchived(db)
    if (unarchived.length > 0) await alert('MONTHS_NOT_ARCHIVED', { months: unarchived })
  }

  return {
    api: undefined,
    // A tick holds the lease of its name.
    ticks: [{ name: MONTHS_LEASE, seconds: UPKEEP_SECONDS, handler: keepUp }],
    gauges: [
      {
        name: 'database_months_ahead',
        help: 'Whole months to come for which every table has its partition.',
        read: () => countMonthsAhead(db, now()),
      },
      {
        name: 'database_months_unarchived',
        help: 'Months that were taken out of their tables and are not written to the archive yet.',
        read: async () => (await listUnarchived(db)).length,
      },
    ],
  }
}
