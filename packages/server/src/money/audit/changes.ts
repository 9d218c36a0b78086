import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Subject } from './invariant.ts'

export interface Change {
  id: bigint
  kind: string
  key: string
}

/** Keys by the kind of record that they name. */
export type KeysByKind = Map<string, Set<string>>

/** So many postings are folded by one statement. */
const FOLDED_AT_ONCE = 20_000

/** Adds the postings since the last time to the kept balances, and notes their entries and accounts as changed. */
export async function foldPostings(db: Queryable): Promise<void> {
  let count: number
  do count = await foldSome(db)
  while (count === FOLDED_AT_ONCE)
  await db.run(sql`delete from account_balances where amount_micro = 0`)
}

/** One statement: a posting is in a balance or waits, never both. */
async function foldSome(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    with taken as (
      delete from unfolded_postings where ctid = any(array(select ctid from unfolded_postings limit ${FOLDED_AT_ONCE}))
      returning entry_id, account, amount_micro
    ), folded as (
      insert into account_balances as kept (account, amount_micro)
      select account, sum(amount_micro) from (
        select account, amount_micro from taken
        union all
        select split_part(account, ':', 1) || ':', amount_micro from taken
        where account like 'escrow:%' or account like 'owed:%') posting
      group by account
      on conflict (account) do update set amount_micro = kept.amount_micro + excluded.amount_micro
    ), noted as (
      insert into audit_changes (kind, key)
      select 'entry', entry_id from taken union select 'account', account from taken
    )
    select count(*) as count from taken`)
  return Number(count)
}

/** The newest change so far. What a run notes again is behind it, for the next run. */
export async function newestChange(db: Queryable): Promise<bigint> {
  const newest = await db.maybeOne<{ id: bigint }>(sql`select id from audit_changes order by id desc limit 1`)
  return newest?.id ?? 0n
}

/** What has changed and was not checked yet, the oldest first. What commits later is found later, whatever its id. */
export const listChanges = (
  db: Queryable,
  { until, limit }: { until: bigint; limit: number },
): Promise<Change[]> =>
  db.rows(sql`select id, kind, key from audit_changes where id <= ${until} order by id limit ${limit}`)

export async function dropChanges(db: Queryable, changes: readonly Change[]): Promise<void> {
  await db.run(sql`delete from audit_changes where id = any(${changes.map(({ id }) => id)}::bigint[])`)
}

/** These are to be checked again. */
export async function noteChanges(db: Queryable, keys: KeysByKind): Promise<void> {
  for (const [kind, named] of keys)
    await db.run(
      sql`insert into audit_changes (kind, key) select ${kind}, key from unnest(${[...named]}::text[]) key`,
    )
}

/** A scrape of the metrics reads no whole table: each is counted no further than this. */
const PENDING_COUNTED = 10_000

export async function countPending(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select (select count(*) from (select 1 from audit_changes limit ${PENDING_COUNTED}) change)
      + (select count(*) from (select 1 from unfolded_postings limit ${PENDING_COUNTED}) posting) as count`)
  return Number(count)
}

export const add = (to: KeysByKind, kind: string, keys: Iterable<string>): void => {
  const known = to.get(kind)
  if (known === undefined) to.set(kind, new Set(keys))
  else for (const key of keys) known.add(key)
}

/** With these keys also all others that a change of them may have broken. */
export async function withFollowers(
  db: Queryable,
  subjects: readonly Subject[],
  changed: KeysByKind,
): Promise<KeysByKind> {
  const reached: KeysByKind = new Map()
  const waiting = [...changed].map(([kind, keys]) => ({ kind, keys: [...keys] }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { kind } = next
    const known = reached.get(kind)
    const fresh = next.keys.filter((key) => !known?.has(key))
    if (fresh.length === 0) continue
    add(reached, kind, fresh)
    for (const { name, follows } of subjects) {
      const keys = (await follows?.[kind]?.(db, fresh)) ?? []
      waiting.push({ kind: name, keys })
    }
  }
  return reached
}
