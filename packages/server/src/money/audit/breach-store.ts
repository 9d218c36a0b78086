import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { BrokenRow, Invariant } from './invariant.ts'
import type { Breach } from './invariants.ts'

export interface StoredBreach {
  invariant: string
  message: string
  key: string
  rows: BrokenRow[]
}

/** One check of a rule for some keys, and what breaks it. */
export interface Checked {
  rule: Invariant
  keys: readonly string[]
  rows: readonly BrokenRow[]
}

export const listBreaches = (db: Queryable): Promise<StoredBreach[]> =>
  db.rows(
    sql`select invariant, message, key, rows from audit_breaches order by found_at, invariant, message, key`,
  )

/** Those of these keys, without their rows: there may be very many of others. */
export const listBreachesOf = (
  db: Queryable,
  keys: ReadonlySet<string>,
): Promise<Omit<StoredBreach, 'rows'>[]> =>
  db.rows(sql`select invariant, message, key from audit_breaches where key = any(${[...keys]}::text[])`)

export async function countBrokenRules(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) from (select distinct invariant, message from audit_breaches) rule`,
  )
  return Number(count)
}

/** Stores current breaches and deletes resolved ones. */
export async function saveChecked(db: Queryable, { rule, keys, rows }: Checked): Promise<void> {
  const { name, message } = rule
  const broken = Map.groupBy(rows, ({ key }) => key)
  await db.run(sql`
    delete from audit_breaches where invariant = ${name} and message = ${message}
      and key = any(${[...keys]}) and key <> all(${[...broken.keys()]}::text[])`)
  if (broken.size === 0) return
  await db.run(sql`
    insert into audit_breaches (invariant, message, key, rows)
    select ${name}, ${message}, broken.key, broken.rows::jsonb
    from unnest(${[...broken.keys()]}::text[], ${[...broken.values()].map(asJson)}::text[]) as broken (key, rows)
    on conflict (invariant, message, key) do update set rows = excluded.rows`)
}

/** Rules that this version does not have. During an upgrade others may have them, so only a whole pass forgets them. */
export async function dropOtherRules(db: Queryable, invariants: readonly Invariant[]): Promise<void> {
  await db.run(sql`
    delete from audit_breaches where (invariant, message) not in (
      select * from unnest(${invariants.map(({ name }) => name)}::text[], ${invariants.map(({ message }) => message)}::text[]))`)
}

/** In the order of the rules. */
export function asBreaches(stored: readonly StoredBreach[], invariants: readonly Invariant[]): Breach[] {
  return invariants.flatMap(({ name, message }) => {
    const rows = stored
      .filter((breach) => breach.invariant === name && breach.message === message)
      .flatMap((breach) => breach.rows)
    return rows.length === 0 ? [] : [{ invariant: name, message, rows }]
  })
}

/** Big numbers as text. */
const asJson = (rows: readonly BrokenRow[]): string =>
  JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
