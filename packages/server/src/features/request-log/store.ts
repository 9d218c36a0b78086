import type { CallerKind, StatusClass } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface NewRequest {
  id: string
  ownerId: string
  requestId: string
  method: string
  path: string
  status: number
  errorCode: string | null
  durationMs: number
  callerKind: CallerKind
  callerId: string
  createdAt: Date
}

export interface RequestRow extends NewRequest {
  seq: bigint
  callerName: string | null
}

export interface RequestFilter {
  ownerId: string
  status: StatusClass | undefined
  method: string | undefined
  path: string | undefined
  caller: string | undefined
  requestId: string | undefined
}

export interface RequestPlace {
  createdAt: Date
  seq: bigint
}

/** What is there already stays as it is: a batch may come again when nobody knows whether it was written. */
export function insertRequests(db: Queryable, rows: readonly NewRequest[]): Promise<number> {
  const all = <Key extends keyof NewRequest>(key: Key) => rows.map((row) => row[key])
  return db.run(sql`
    insert into request_log (id, owner_id, request_id, method, path, status, error_code, duration_ms, caller_kind,
      caller_id, created_at)
    select * from unnest(${all('id')}::text[], ${all('ownerId')}::text[], ${all('requestId')}::text[],
      ${all('method')}::text[], ${all('path')}::text[], ${all('status')}::smallint[], ${all('errorCode')}::text[],
      ${all('durationMs')}::real[], ${all('callerKind')}::text[], ${all('callerId')}::text[],
      ${all('createdAt')}::timestamptz[])
    on conflict (id, created_at) do nothing`)
}

/** Written out, because an index serves the failed ones only where the statement itself shows that it asks for no others. */
const inClass: Record<StatusClass, Sql> = {
  '2xx': sql`status between 200 and 299`,
  '3xx': sql`status between 300 and 399`,
  '4xx': sql`status between 400 and 499`,
  '5xx': sql`status between 500 and 599`,
}

function conditionOf({ ownerId, status, method, path, caller, requestId }: RequestFilter): Sql {
  const conditions = [sql`owner_id = ${ownerId}`]
  if (status !== undefined) conditions.push(inClass[status])
  if (method !== undefined) conditions.push(sql`method = ${method}`)
  if (path !== undefined) conditions.push(sql`starts_with(path, ${path})`)
  if (caller !== undefined) conditions.push(sql`caller_id = ${caller}`)
  if (requestId !== undefined) conditions.push(sql`request_id = ${requestId}`)
  return sql.join(conditions, sql` and `)
}

export function listRequests(
  db: Queryable,
  filter: RequestFilter,
  { since, before, limit }: { since: Date; before: RequestPlace | undefined; limit: number },
): Promise<RequestRow[]> {
  const place = before ? sql`and (created_at, seq) < (${before.createdAt}, ${before.seq})` : sql``
  return db.rows(sql`
    select id, seq, owner_id, request_id, method, path, status, error_code, duration_ms, caller_kind, caller_id,
      case caller_kind
        when 'API_KEY' then (select name from api_keys where api_keys.id = caller_id)
        else (select client_name from oauth_grants where oauth_grants.id = caller_id)
      end as caller_name,
      created_at
    from request_log where ${conditionOf(filter)} and created_at >= ${since} ${place}
    order by created_at desc, seq desc limit ${limit}`)
}

/** The oldest first, at most so many. */
export function removeRequests(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from request_log where (id, created_at) in (
      select id, created_at from request_log where created_at < ${before} order by created_at limit ${limit})`)
}

/** Of this owner, what is beyond the newest: at most so many. */
export function trimRequests(
  db: Queryable,
  ownerId: string,
  { kept, limit }: { kept: number; limit: number },
): Promise<number> {
  return db.run(sql`
    delete from request_log where (id, created_at) in (
      select beyond.id, beyond.created_at
      from (
        select created_at, seq from request_log where owner_id = ${ownerId}
        order by created_at desc, seq desc offset ${kept} limit 1) first_out
      join request_log beyond on beyond.owner_id = ${ownerId}
        and (beyond.created_at, beyond.seq) <= (first_out.created_at, first_out.seq)
      limit ${limit})`)
}
