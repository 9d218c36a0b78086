import type { AccountStatus, GrantScope, KycStatus } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

export interface GrantRow {
  id: string
  ownerId: string
  clientId: string
  clientName: string
  clientHost: string
  resource: string
  scopes: GrantScope[]
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
}

const columns = sql`
  g.id, g.owner_id, g.client_id, g.client_name, g.client_host, g.resource, g.scopes, g.created_at, g.expires_at,
  g.last_used_at`
const works = (now: Date) => sql`g.revoked_at is null and g.expires_at > ${now}`

export async function insertGrant(tx: Queryable, row: Omit<GrantRow, 'lastUsedAt'>): Promise<void> {
  await tx.run(sql`
    insert into oauth_grants (id, owner_id, client_id, client_name, client_host, resource, scopes, created_at, expires_at)
    values (${row.id}, ${row.ownerId}, ${row.clientId}, ${row.clientName}, ${row.clientHost}, ${row.resource},
      ${row.scopes}, ${row.createdAt}, ${row.expiresAt})`)
}

export function listGrants(db: Queryable, ownerId: string, now: Date): Promise<GrantRow[]> {
  return db.rows(sql`
    select ${columns} from oauth_grants g where g.owner_id = ${ownerId} and ${works(now)}
    order by g.created_at desc, g.id desc`)
}

export function findGrant(db: Queryable, id: string, now: Date): Promise<GrantRow | undefined> {
  return db.maybeOne(sql`select ${columns} from oauth_grants g where g.id = ${id} and ${works(now)}`)
}

/** Nobody else makes a grant for this owner until the transaction ends. */
export async function lockOwner(tx: Queryable, ownerId: string): Promise<void> {
  await tx.one(sql`select id from owners where id = ${ownerId} for no key update`)
}

/** What the owner has allowed this client before. */
export async function listOfClient(
  db: Queryable,
  { ownerId, clientId, resource }: Pick<GrantRow, 'ownerId' | 'clientId' | 'resource'>,
  now: Date,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select g.id from oauth_grants g
    where g.owner_id = ${ownerId} and g.client_id = ${clientId} and g.resource = ${resource} and ${works(now)}
    order by g.id`)
  return rows.map(({ id }) => id)
}

export async function countGrants(db: Queryable, ownerId: string, now: Date): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) from oauth_grants g where g.owner_id = ${ownerId} and ${works(now)}`,
  )
  return Number(count)
}

/** Ends the grant, no matter who asks for it, and returns whose it was; undefined where it did not work any more. */
export async function endGrant(tx: Queryable, id: string, now: Date): Promise<string | undefined> {
  const ended = await tx.maybeOne<{ clientId: string }>(sql`
    update oauth_grants g set revoked_at = ${now} where g.id = ${id} and ${works(now)} returning g.client_id`)
  return ended?.clientId
}

/** Grants whose code was never redeemed: nothing is left by which they could be used. */
export async function listUnused(db: Queryable, createdBefore: Date, now: Date): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select g.id from oauth_grants g where g.created_at < ${createdBefore} and ${works(now)}
      and not exists (select 1 from oauth_records r where r.grant_id = g.id)
    order by g.id`)
  return rows.map(({ id }) => id)
}

/** Forgets grants that have ended, with their budgets, unless a job counts to them. */
export async function removeEnded(db: Queryable, endedBefore: Date, most: number): Promise<void> {
  await db.run(sql`
    with gone as (
      delete from oauth_grants where id in (
        select g.id from oauth_grants g where least(g.revoked_at, g.expires_at) < ${endedBefore}
          and not exists (select 1 from budget_jobs c where c.budget_id = g.id)
          and not exists (select 1 from oauth_records r where r.grant_id = g.id)
        limit ${most})
      returning id
    )
    delete from budgets where id in (select id from gone)`)
}

/** When the last grant of a client ends, of all owners. */
export async function lastEndOf(db: Queryable, clientId: string, now: Date): Promise<Date | null> {
  const { lastEnd } = await db.one<{ lastEnd: Date | null }>(
    sql`select max(g.expires_at) as last_end from oauth_grants g where g.client_id = ${clientId} and ${works(now)}`,
  )
  return lastEnd
}

/** A grant with its owner, as far as the pipeline must know them. */
export interface GrantHolder extends GrantRow {
  kycStatus: KycStatus
  kycFeePaid: boolean
  accountStatus: AccountStatus
  isCapped: boolean
}

const holders = sql`
  select ${columns}, o.kyc_status, o.kyc_fee_paid, o.account_status, b.is_capped
  from oauth_grants g join owners o on o.id = g.owner_id join budgets b on b.id = g.id`

export function findHolder(db: Queryable, id: string, now: Date): Promise<GrantHolder | undefined> {
  return db.maybeOne(sql`${holders} where g.id = ${id} and ${works(now)}`)
}

/** The owner behind an access token, and what the token itself allows. */
export interface TokenHolder extends GrantHolder {
  tokenScope: string | null
  tokenExpiresAt: Date
}

export function findTokenHolder(
  db: Queryable,
  { hash, resource, now }: { hash: Uint8Array; resource: string; now: Date },
): Promise<TokenHolder | undefined> {
  return db.maybeOne(sql`
    select holder.*, t.payload ->> 'scope' as token_scope, t.expires_at as token_expires_at
    from oauth_records t join (${holders} where ${works(now)}) holder on holder.id = t.grant_id
    where t.model = 'AccessToken' and t.id_hash = ${hash} and t.expires_at > ${now}
      and t.payload ->> 'aud' = ${resource} and holder.resource = ${resource}`)
}

export async function saveUsed(db: Queryable, id: string, minute: Date): Promise<void> {
  await db.run(sql`update oauth_grants set last_used_at = ${minute} where id = ${id}`)
}
