import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { CredentialRow, Holder } from './credential.ts'

/** Of the table `c`. */
const commonColumns = sql`c.id, c.owner_id, c.scopes, c.created_at, c.expires_at, c.last_used_at`

/** Of the table `c`: neither revoked nor expired. */
export const works = (now: Date): Sql =>
  sql`c.revoked_at is null and (c.expires_at is null or c.expires_at > ${now})`

/** Reads the credentials of one table, which is `c` in `ownColumns` and in every condition. */
export function createCredentialStore<Row extends CredentialRow>(table: Sql, ownColumns: Sql) {
  const columns = sql`${commonColumns}, ${ownColumns}`
  const holders = sql`
    select ${columns}, o.kyc_status, o.kyc_fee_paid, o.account_status, b.is_capped
    from ${table} c join owners o on o.id = c.owner_id join budgets b on b.id = c.id`

  const findHolder = (db: Queryable, condition: Sql, now: Date): Promise<Holder<Row> | undefined> =>
    db.maybeOne(sql`${holders} where ${condition} and ${works(now)}`)

  return {
    columns,
    holders,

    /** Those that work, the newest first. */
    list: (db: Queryable, ownerId: string, now: Date): Promise<Row[]> =>
      db.rows(sql`
        select ${columns} from ${table} c where c.owner_id = ${ownerId} and ${works(now)}
        order by c.created_at desc, c.id desc`),

    /** How many of the owner's work. */
    async count(db: Queryable, ownerId: string, now: Date): Promise<number> {
      const { count } = await db.one<{ count: bigint }>(
        sql`select count(*) from ${table} c where c.owner_id = ${ownerId} and ${works(now)}`,
      )
      return Number(count)
    },

    findHolder,
    findHolderById: (db: Queryable, id: string, now: Date) => findHolder(db, sql`c.id = ${id}`, now),

    async saveUsed(db: Queryable, id: string, minute: Date): Promise<void> {
      await db.run(sql`update ${table} set last_used_at = ${minute} where id = ${id}`)
    },
  }
}

export type CredentialStore<Row extends CredentialRow> = ReturnType<typeof createCredentialStore<Row>>
