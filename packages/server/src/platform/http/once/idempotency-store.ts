import { IDEMPOTENCY_KEY_LIFETIME_SECONDS } from '@agent-marketplace/contract'
import { addSeconds } from '../../clock/clock.ts'
import type { Queryable } from '../../db/queryable.ts'
import { removeRows } from '../../db/remove-rows.ts'
import { sql } from '../../db/sql.ts'

export interface StoredResponse {
  status: number
  response: unknown
}

export interface IdempotentRequest {
  ownerId: string
  key: string
  /** Method, path and body of the request in one hash: the same key may only ever stand for the same request. */
  fingerprint: string
}

type Key = Pick<IdempotentRequest, 'ownerId' | 'key'>

/** Neither part holds a space. */
export const nameOf = ({ ownerId, key }: Key): string => `${ownerId} ${key}`

const listsOf = (keys: readonly Key[]): [string[], string[]] => [
  keys.map(({ ownerId }) => ownerId),
  keys.map(({ key }) => key),
]

const expiryOf = (now: Date): Date => addSeconds(now, -IDEMPOTENCY_KEY_LIFETIME_SECONDS)

/**
 * Takes the keys that are new or expired and returns their names; the others have a response already. Waits for requests
 * that use one of them right now. In their order, so that no two transactions wait for each other.
 */
export async function claimKeys(
  tx: Queryable,
  requests: readonly IdempotentRequest[],
  now: Date,
): Promise<Set<string>> {
  const [ownerIds, keys] = listsOf(requests)
  const claimed = await tx.rows<Key>(sql`
    insert into idempotency_keys (owner_id, key, fingerprint, status, created_at)
    select owner_id, key, fingerprint, 0, ${now}
    from unnest(${ownerIds}::text[], ${keys}::text[], ${requests.map(({ fingerprint }) => fingerprint)}::text[])
      as given (owner_id, key, fingerprint)
    order by owner_id, key
    on conflict (owner_id, key) do update
      set fingerprint = excluded.fingerprint, status = 0, answer = null, created_at = excluded.created_at
      where idempotency_keys.created_at < ${expiryOf(now)}
    returning owner_id, key`)
  return new Set(claimed.map(nameOf))
}

export interface KeptResponse extends IdempotentRequest, StoredResponse {}

export async function findResponses(
  tx: Queryable,
  wanted: readonly Key[],
): Promise<Map<string, KeptResponse>> {
  if (wanted.length === 0) return new Map()
  const [ownerIds, keys] = listsOf(wanted)
  const kept = await tx.rows<KeptResponse>(sql`
    select owner_id, key, fingerprint, status, answer as response
    from unnest(${ownerIds}::text[], ${keys}::text[]) as wanted (owner_id, key)
    join idempotency_keys using (owner_id, key)`)
  return new Map(kept.map((response) => [nameOf(response), response]))
}

/**
 * Of keys that this transaction has claimed. Written as an insert that finds each of them, because that always goes by the
 * key: the plan of an update may read the whole table, and one from when the table was small is used on while it grows.
 */
export async function keepResponses(
  tx: Queryable,
  responses: readonly KeptResponse[],
  now: Date,
): Promise<void> {
  const [ownerIds, keys] = listsOf(responses)
  await tx.run(sql`
    insert into idempotency_keys (owner_id, key, fingerprint, status, answer, created_at)
    select owner_id, key, fingerprint, status, answer, ${now}
    from unnest(${ownerIds}::text[], ${keys}::text[], ${responses.map(({ fingerprint }) => fingerprint)}::text[],
      ${responses.map(({ status }) => status)}::integer[],
      ${responses.map(({ response }) => sql.json(response ?? null))}::jsonb[])
      as given (owner_id, key, fingerprint, status, answer)
    on conflict (owner_id, key) do update set status = excluded.status, answer = excluded.answer`)
}

/** For work that was refused: its key may be used again. */
export async function releaseKeys(tx: Queryable, refused: readonly Key[]): Promise<void> {
  const [ownerIds, keys] = listsOf(refused)
  await tx.run(sql`
    delete from idempotency_keys using unnest(${ownerIds}::text[], ${keys}::text[]) as given (owner_id, key)
    where idempotency_keys.owner_id = given.owner_id and idempotency_keys.key = given.key`)
}

export const removeExpiredKeys = (db: Queryable, now: Date, signal: AbortSignal): Promise<void> =>
  removeRows(db, { table: 'idempotency_keys', where: sql`created_at < ${expiryOf(now)}` }, signal)
