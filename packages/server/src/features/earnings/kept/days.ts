import type { Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { earned } from '../earned.ts'
import { dueRanges, summed } from './sums.ts'

const DAYS_AT_ONCE = 200

/** Adds up again the days on which something has changed; a turn of the worker, every few seconds. */
export const createDayKeeping =
  ({ db }: { db: Database }) =>
  async (signal?: AbortSignal): Promise<void> => {
    while (await keepSome(db)) signal?.throwIfAborted()
  }

/** A change that commits meanwhile stays due: its row was not there to be removed. Returns whether there are more. */
const keepSome = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    const days = await tx.rows<{ account: string; day: string }>(sql`
      with chosen as (select distinct account, day from earning_days_due limit ${DAYS_AT_ONCE}), removed as (
        delete from earning_days_due due using chosen where due.account = chosen.account and due.day = chosen.day)
      select account, day from chosen`)
    if (days.length === 0) return false
    const [accounts, dates] = [days.map(({ account }) => account), days.map(({ day }) => day)]
    const chosen = sql`unnest(${accounts}::text[], ${dates}::date[]) as chosen (account, day)`
    await tx.run(sql`
      delete from earning_days kept using ${chosen} where kept.account = chosen.account and kept.day = chosen.day`)
    await tx.run(sql`
      insert into earning_days (account, day, source, service_id, has_job, count, fee_micro, net_micro, unverified_micro)
      select account, day, source, service_id, has_job, count, fee_micro, net_micro, unverified_micro
      from (${summed(earned(dueRanges(sql`true`, chosen)))}) sums`)
    return days.length === DAYS_AT_ONCE
  })
