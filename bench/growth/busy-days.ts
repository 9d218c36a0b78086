import { BUSY_ABOVE } from '../../packages/server/src/house/books/kept-days/keeping.ts'
import { type Sql, sql } from '../../packages/server/src/platform/db/sql.ts'
import { agentIdOf, ownerIdOf } from '../agents-seed.ts'

/** The owner of an agent that received all its payments on one day: a fifth as many as there are agents. */
export const busySeller = ownerIdOf(5)
const busyWallet = `0x${(5).toString(16).padStart(40, '0')}`
export const BUSY_SHARE = 0.2

/** The payments of that day, which is yesterday, evenly spread. */
export const payOnOneDay = (count: number): string => `
  update agents set owner_id = '${busySeller}' where id = '${agentIdOf(5)}';
  insert into journal_entries (id, kind, at)
  select 'jbusy' || n, 'x402',
    (date_trunc('day', now(), 'UTC') - interval '1 day') + (n - 1) * interval '1 day' / ${count}
  from generate_series(1, ${count}) n;
  insert into journal_postings
  select 'jbusy' || n, account, amount
  from generate_series(1, ${count}) n,
    (values ('wallet:${busyWallet}', 5000000), ('outside:world', -5000000)) as side (account, amount);`

/** Keeps busy days in minutes, as the service does, from the entries: each is a payment of 5 USDC. */
export const keepBusyDaysInMinutes = `
  insert into earning_minutes
  select known.account, date_trunc('minute', at, 'UTC'), 'X402', '', false, count(*), count(*) * 5000000, 0, 0
  from earning_entries known join earning_days kept on kept.account = known.account
    and kept.day = (at at time zone 'UTC')::date and kept.count > ${BUSY_ABOVE}
  group by 1, 2;
  update earning_days set in_minutes = true where count > ${BUSY_ABOVE};`

/** Makes this many minutes of that day due. */
export const makeMinutesDue = (count: number): Sql => sql`
  insert into earning_days_due (account, day, minute)
  select account, (minute at time zone 'UTC')::date, minute from earning_minutes
  where account = ${`wallet:${busyWallet}`} order by minute desc limit ${count}`

/** Makes this many days due that are not kept in minutes. */
export const makeDaysDue = (count: number): Sql => sql`
  insert into earning_days_due (account, day, minute)
  select account, day, day::timestamp at time zone 'UTC' from earning_days
  where not in_minutes limit ${count}`
