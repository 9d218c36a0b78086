import type { AccountStatus, KycStatus } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { removeRows } from '../../platform/db/remove-rows.ts'
import { sql } from '../../platform/db/sql.ts'

export interface SessionRow {
  id: string
  ownerId: string
  walletAddress: string
  expiresAt: Date
  kycStatus: KycStatus
  kycFeePaid: boolean
  accountStatus: AccountStatus
}

export function insertSession(
  db: Queryable,
  session: { id: string; ownerId: string; now: Date; expiresAt: Date },
): Promise<number> {
  return db.run(sql`
    insert into sessions (id, owner_id, created_at, expires_at)
    values (${session.id}, ${session.ownerId}, ${session.now}, ${session.expiresAt})`)
}

export function findLiveSession(
  db: Queryable,
  sessionId: string,
  now: Date,
): Promise<SessionRow | undefined> {
  return db.maybeOne(sql`
    select s.id, s.owner_id, s.expires_at, o.wallet_address, o.kyc_status, o.kyc_fee_paid, o.account_status
    from sessions s join owners o on o.id = s.owner_id
    where s.id = ${sessionId} and s.revoked_at is null and s.expires_at > ${now}`)
}

export function revokeSession(db: Queryable, sessionId: string, now: Date): Promise<number> {
  return db.run(sql`update sessions set revoked_at = ${now} where id = ${sessionId} and revoked_at is null`)
}

export const removeExpiredSessions = (db: Queryable, now: Date, signal: AbortSignal): Promise<void> =>
  removeRows(db, { table: 'sessions', where: sql`expires_at <= ${now}` }, signal)
