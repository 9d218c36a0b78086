import { sql } from '../../../platform/db/sql.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Day, KeptDays } from './days.ts'

/**
 * Nobody else changes the sums of these days until this transaction ends. They are given in the order of what is due, so that
 * two workers do not wait for each other. A day of which nothing is kept yet has no row to lock.
 */
export async function lockDays(tx: Transaction, { kept }: KeptDays, chosen: readonly Day[]): Promise<void> {
  const names = chosen.map(({ key, day }) => `${kept.text} ${key} ${day}`)
  await tx.rows(sql`
    select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) name`)
}
