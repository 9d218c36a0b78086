import type { Queryable } from '../platform/db/queryable.ts'
import { sql } from '../platform/db/sql.ts'

/** How far the demo data of this database is. */
export type DemoMark = 'none' | 'begun' | 'whole'

/**
 * The one row that says that demo data is here. Only a sandbox that wants demo data ever makes this table, so it is not
 * among the migrations, which production runs as well.
 */
export async function readMark(db: Queryable): Promise<DemoMark> {
  await db.run(sql`
    create table if not exists demo_data (
      only_row boolean primary key default true check (only_row),
      begun_at timestamptz not null default now(),
      finished_at timestamptz
    )`)
  const row = await db.maybeOne<{ isWhole: boolean }>(
    sql`select finished_at is not null as "isWhole" from demo_data`,
  )
  if (!row) return 'none'
  return row.isWhole ? 'whole' : 'begun'
}

export async function markBegun(db: Queryable): Promise<void> {
  await db.run(sql`insert into demo_data default values`)
}

export async function markWhole(db: Queryable): Promise<void> {
  await db.run(sql`update demo_data set finished_at = now()`)
}
