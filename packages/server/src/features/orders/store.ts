import { JOB_PURPOSE } from '../../house/payments.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { removeRows } from '../../platform/db/remove-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** A job that was ordered and paid for in one call. */
export interface OrderRow {
  jobId: string
  /** The buyer: the owner of the wallet that paid. */
  ownerId: string
  /** In lower case. */
  payer: string
  fingerprint: string
  /** Of the header that paid; null for orders from before it was kept. */
  headerDigest: string | null
}

const columns = sql`
  service_orders.job_id, service_orders.owner_id, service_orders.payer, service_orders.fingerprint,
  service_orders.header_digest`

export function findOrder(db: Queryable, jobId: string): Promise<OrderRow | undefined> {
  return db.maybeOne(sql`select ${columns} from service_orders where job_id = ${jobId}`)
}

/** `isPaid`: paid for, or its payment is under way. */
export function findOrderByIdentifier(
  db: Queryable,
  identifier: string,
): Promise<(OrderRow & { isPaid: boolean }) | undefined> {
  return db.maybeOne(sql`
    select ${columns}, exists (
      select 1 from x402_payments where purpose = ${JOB_PURPOSE} and reference = service_orders.job_id
        and x402_payments.status <> 'REJECTED') as is_paid
    from service_orders where payment_identifier = ${identifier}`)
}

/** Orders with the same identifier pass one at a time. */
export async function lockIdentifier(tx: Queryable, identifier: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`order:${identifier}`}, 0))`)
}

/** For an order whose payment failed: another one takes its place. */
export async function releaseIdentifier(tx: Queryable, jobId: string): Promise<void> {
  await tx.run(sql`update service_orders set payment_identifier = null where job_id = ${jobId}`)
}

export async function insertOrder(
  tx: Queryable,
  {
    jobId,
    ownerId,
    payer,
    fingerprint,
    headerDigest,
    identifier,
    now,
  }: OrderRow & { identifier: string | undefined; now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into service_orders (job_id, owner_id, payer, fingerprint, header_digest, payment_identifier, created_at)
    values (${jobId}, ${ownerId}, ${payer}, ${fingerprint}, ${headerDigest}, ${identifier ?? null}, ${now})`)
}

/** False when the nonce was used before: of any number of parallel tries exactly one stores it. */
export async function useNonce(db: Queryable, nonce: string, expiresAt: Date): Promise<boolean> {
  const stored = await db.run(sql`
    insert into used_sign_ins (nonce, expires_at) values (${nonce}, ${expiresAt}) on conflict do nothing`)
  return stored === 1
}

export const removeExpiredNonces = (db: Queryable, now: Date, signal: AbortSignal): Promise<void> =>
  removeRows(db, { table: 'used_sign_ins', where: sql`expires_at <= ${now}` }, signal)
