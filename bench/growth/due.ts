import { type Sql, sql } from '../../packages/server/src/platform/db/sql.ts'
import { createIdempotency } from '../../packages/server/src/platform/http/once/idempotency.ts'
import type { BenchService } from './service.ts'
import { type Cost, timeAfter } from './time.ts'

/** So many records are due at once. */
const DUE = 100

/** What a turn of a task costs where so many are due: it must not matter how many there are beside them. */
export async function measureDue({ deps, ticks }: BenchService): Promise<Cost[]> {
  const { db, wallClock } = deps
  const { removeExpired } = createIdempotency({ db, clock: wallClock })
  const turnOf = (name: string) => async () => {
    const tick = ticks.find((one) => one.name === name)
    if (!tick) throw new Error(`there is no tick ${name}`)
    await tick.handler(new AbortController().signal)
  }
  const tasks: [name: string, makeDue: Sql, run: () => Promise<unknown>][] = [
    [
      'keys of calls',
      sql`update idempotency_keys set created_at = now() - interval '2 days'
        where ctid = any(array(select ctid from idempotency_keys limit ${DUE}))`,
      removeExpired,
    ],
    [
      'sessions',
      sql`update sessions set expires_at = now() - interval '1 hour'
        where ctid = any(array(select ctid from sessions where id like 'csession%' limit ${DUE}))`,
      turnOf('sessions-expired'),
    ],
    [
      'unpaid jobs',
      sql`update jobs set fund_by = now() - interval '1 hour'
        where ctid = any(array(select ctid from jobs where status = 'PENDING' limit ${DUE}))`,
      turnOf('jobs-funding'),
    ],
  ]
  const costs: Cost[] = []
  for (const [name, makeDue, run] of tasks) {
    const prepare = async (): Promise<void> => {
      const made = await db.run(makeDue)
      if (made !== DUE) throw new Error(`${made} of ${DUE} ${name} are due`)
    }
    costs.push(await timeAfter(`${DUE} ${name} that are over`, prepare, run))
  }
  return costs
}
