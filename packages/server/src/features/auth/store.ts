import type { Queryable } from '../../platform/db/queryable.ts'
import { removeRows } from '../../platform/db/remove-rows.ts'
import { sql } from '../../platform/db/sql.ts'

export interface NonceRow {
  nonce: string
  walletAddress: string
  message: string
  expiresAt: Date
}

export function insertNonce(db: Queryable, row: NonceRow): Promise<number> {
  return db.run(sql`
    insert into auth_nonces (nonce, wallet_address, message, expires_at)
    values (${row.nonce}, ${row.walletAddress}, ${row.message}, ${row.expiresAt})`)
}

export function findNonce(
  db: Queryable,
  nonce: string,
  walletAddress: string,
  now: Date,
): Promise<NonceRow | undefined> {
  return db.maybeOne(sql`
    select nonce, wallet_address, message, expires_at from auth_nonces
    where nonce = ${nonce} and lower(wallet_address) = lower(${walletAddress}) and expires_at > ${now}`)
}

/** Deleting is what uses a nonce: of any number of parallel tries exactly one deletes the row. */
export async function useNonce(db: Queryable, nonce: string): Promise<boolean> {
  return (await db.run(sql`delete from auth_nonces where nonce = ${nonce}`)) === 1
}

export const removeExpiredNonces = (db: Queryable, now: Date, signal: AbortSignal): Promise<void> =>
  removeRows(db, { table: 'auth_nonces', where: sql`expires_at <= ${now}` }, signal)
