import { createHash } from 'node:crypto'
import {
  AppError,
  IDEMPOTENCY_KEY_LIFETIME_SECONDS,
  IDEMPOTENCY_KEY_MAX_LENGTH,
  invalidField,
} from '@agent-marketplace/contract'
import { addSeconds, type Clock } from '../clock/clock.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/queryable.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'

export interface StoredAnswer {
  status: number
  answer: unknown
}

export interface IdempotentRequest {
  ownerId: string
  key: string
  /** Method, path and body of the request in one hash: the same key may only ever stand for the same request. */
  fingerprint: string
}

const keyPattern = /^[\x21-\x7e]+$/

export function readIdempotencyKey(headers: Record<string, unknown>): string | undefined {
  const key = headers['idempotency-key'] ?? headers['x-idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length > IDEMPOTENCY_KEY_MAX_LENGTH || !keyPattern.test(key)) {
    throw invalidField(
      'Idempotency-Key',
      `must be 1 to ${IDEMPOTENCY_KEY_MAX_LENGTH} visible ASCII characters`,
    )
  }
  return key
}

export function fingerprintOf(method: string, url: string, body: Buffer | undefined): string {
  return createHash('sha256')
    .update(`${method} ${url}\n`)
    .update(body ?? '')
    .digest('base64url')
}

export interface Idempotency {
  /**
   * Runs the work in one transaction and keeps its answer in that same transaction. A twin that arrives meanwhile waits
   * at the key's unique index and then gets the stored answer; a crash leaves either both, work and answer, or neither.
   */
  run(
    request: IdempotentRequest,
    work: (tx: Transaction) => Promise<StoredAnswer>,
  ): Promise<StoredAnswer & { replayed: boolean }>
  removeExpired(): Promise<number>
}

interface KeyRow {
  fingerprint: string
  status: number
  answer: unknown
}

export function createIdempotency({ db, clock }: { db: Database; clock: Clock }): Idempotency {
  return {
    run: (request, work) =>
      db.transaction(async (tx) => {
        if (!(await claimKey(tx, request, clock.now())))
          return { ...(await storedAnswer(tx, request)), replayed: true }
        const stored = await work(tx)
        await tx.run(sql`
          update idempotency_keys set status = ${stored.status}, answer = ${sql.json(stored.answer ?? null)}
          where owner_id = ${request.ownerId} and key = ${request.key}`)
        return { ...stored, replayed: false }
      }),
    removeExpired: () =>
      db.run(sql`
        delete from idempotency_keys
        where created_at < ${addSeconds(clock.now(), -IDEMPOTENCY_KEY_LIFETIME_SECONDS)}`),
  }
}

async function claimKey(tx: Queryable, request: IdempotentRequest, now: Date): Promise<boolean> {
  const claimed = await tx.run(sql`
    insert into idempotency_keys (owner_id, key, fingerprint, status, created_at)
    values (${request.ownerId}, ${request.key}, ${request.fingerprint}, 0, ${now})
    on conflict (owner_id, key) do update
      set fingerprint = excluded.fingerprint, status = 0, answer = null, created_at = excluded.created_at
      where idempotency_keys.created_at < ${addSeconds(now, -IDEMPOTENCY_KEY_LIFETIME_SECONDS)}`)
  return claimed === 1
}

async function storedAnswer(tx: Queryable, request: IdempotentRequest): Promise<StoredAnswer> {
  const row = await tx.one<KeyRow>(sql`
    select fingerprint, status, answer from idempotency_keys
    where owner_id = ${request.ownerId} and key = ${request.key}`)
  if (row.fingerprint !== request.fingerprint) throw new AppError('IDEMPOTENCY_CONFLICT')
  return { status: row.status, answer: row.answer }
}
