import type { GrantScope } from '@agent-marketplace/contract'
import type { CredentialRow, Holder } from '../../house/credentials/credential.ts'
import { createCredentialStore, works } from '../../house/credentials/credential-store.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

export interface GrantRow extends CredentialRow<GrantScope> {
  clientId: string
  clientName: string
  clientHost: string
  resource: string
  expiresAt: Date
}

export const grants = createCredentialStore<GrantRow>(
  sql`oauth_grants`,
  sql`c.client_id, c.client_name, c.client_host, c.resource`,
)

export async function insertGrant(tx: Queryable, row: Omit<GrantRow, 'lastUsedAt'>): Promise<void> {
  await tx.run(sql`
    insert into oauth_grants (id, owner_id, client_id, client_name, client_host, resource, scopes, created_at, expires_at)
    values (${row.id}, ${row.ownerId}, ${row.clientId}, ${row.clientName}, ${row.clientHost}, ${row.resource},
      ${row.scopes}, ${row.createdAt}, ${row.expiresAt})`)
}

export function findGrant(db: Queryable, id: string, now: Date): Promise<GrantRow | undefined> {
  return db.maybeOne(sql`select ${grants.columns} from oauth_grants c where c.id = ${id} and ${works(now)}`)
}

/** What the owner has allowed this client before. */
export async function listOfClient(
  db: Queryable,
  { ownerId, clientId, resource }: Pick<GrantRow, 'ownerId' | 'clientId' | 'resource'>,
  now: Date,
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select c.id from oauth_grants c
    where c.owner_id = ${ownerId} and c.client_id = ${clientId} and c.resource = ${resource} and ${works(now)}
    order by c.id`)
  return rows.map(({ id }) => id)
}

/** Ends the grant, no matter who asks for it, and returns whose it was; undefined where it did not work any more. */
export async function endGrant(tx: Queryable, id: string, now: Date): Promise<string | undefined> {
  const ended = await tx.maybeOne<{ clientId: string }>(sql`
    update oauth_grants c set revoked_at = ${now} where c.id = ${id} and ${works(now)} returning c.client_id`)
  return ended?.clientId
}

/** Grants from one id, which is not among them, to another, which is. */
export interface GrantSlice {
  after: string
  upTo: string
}

/** The next so many; fewer where these are the last. */
export async function nextSlice(
  db: Queryable,
  after: string,
  most: number,
): Promise<GrantSlice & { isLast: boolean }> {
  const { upTo, isLast } = await db.one<{ upTo: string | null; isLast: boolean }>(sql`
    select max(id) as up_to, count(*) < ${most} as is_last
    from (select id from oauth_grants where id > ${after} order by id limit ${most}) next`)
  return { after, upTo: upTo ?? after, isLast }
}

/** The id of the newest, where there is one. */
export async function findLast(db: Queryable): Promise<string> {
  const { id } = await db.one<{ id: string }>(sql`select id from oauth_grants order by id desc limit 1`)
  return id
}

const within = ({ after, upTo }: GrantSlice) => sql`c.id > ${after} and c.id <= ${upTo}`

/** Grants whose code was never redeemed: nothing is left by which they could be used. */
export function listUnused(
  db: Queryable,
  slice: GrantSlice,
  { createdBefore, now }: { createdBefore: Date; now: Date },
): Promise<{ id: string }[]> {
  return db.rows(sql`
    select c.id from oauth_grants c where ${within(slice)} and c.created_at < ${createdBefore} and ${works(now)}
      and not exists (select 1 from oauth_records r where r.grant_id = c.id)
    order by c.id`)
}

/** Forgets grants that have ended, with their budgets, unless a job counts to them. */
export async function removeEnded(db: Queryable, slice: GrantSlice, endedBefore: Date): Promise<void> {
  await db.run(sql`
    with gone as (
      delete from oauth_grants c where ${within(slice)} and least(c.revoked_at, c.expires_at) < ${endedBefore}
        and not exists (select 1 from budget_jobs j where j.budget_id = c.id)
        and not exists (select 1 from oauth_records r where r.grant_id = c.id)
      returning id
    )
    delete from budgets where id in (select id from gone)`)
}

/** When the last grant of a client ends, of all owners. */
export async function lastEndOf(db: Queryable, clientId: string, now: Date): Promise<Date | null> {
  const { lastEnd } = await db.one<{ lastEnd: Date | null }>(
    sql`select max(c.expires_at) as last_end from oauth_grants c where c.client_id = ${clientId} and ${works(now)}`,
  )
  return lastEnd
}

/** The owner behind an access token, and what the token itself allows. */
export type TokenHolder = Holder<GrantRow> & {
  tokenScope: string | null
  tokenExpiresAt: Date
}

export function findTokenHolder(
  db: Queryable,
  { hash, resource, now }: { hash: Uint8Array; resource: string; now: Date },
): Promise<TokenHolder | undefined> {
  return db.maybeOne(sql`
    select holder.*, t.payload ->> 'scope' as token_scope, t.expires_at as token_expires_at
    from oauth_records t join (${grants.holders} where ${works(now)}) holder on holder.id = t.grant_id
    where t.model = 'AccessToken' and t.id_hash = ${hash} and t.expires_at > ${now}
      and t.payload ->> 'aud' = ${resource} and holder.resource = ${resource}`)
}
