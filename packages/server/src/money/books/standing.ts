import { type Sql, sql } from '../../platform/db/sql.ts'

/** Entries that were taken back count as little as their reversals. */
export const isStanding = (entry: Sql): Sql => sql`
  ${entry}.reverses is null and not exists (select 1 from journal_entries r where r.reverses = ${entry}.id)`
