import { sql } from '../../../platform/db/sql.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Day, KeptDays } from './days.ts'

/**
 * Locks the sums of these days until the transaction ends. The lock is advisory, because a day without sums has no row to
 * lock. All workers pass the days in the order in which they are listed as due, so they cannot deadlock.
 */
export async function lockDays(tx: Transaction, { kept }: KeptDays, chosen: readonly Day[]): Promise<void> {
  const names = chosen.map(({ key, day }) => `${kept.text} ${key} ${day}`)
  await tx.rows(sql`
    select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) name`)
}
