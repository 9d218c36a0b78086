import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Account } from '../books/accounts.ts'
import type { JournalReference } from '../books/journal.ts'

/** All that is given must fit; amounts are summed over the postings of `account`, reversals included. */
export interface SumFilter extends JournalReference {
  account?: Account | undefined
  kinds?: readonly string[] | undefined
  /** Only what came in, or only what went out. */
  direction?: 'in' | 'out' | undefined
  from?: Date | undefined
  /** Excluded. */
  to?: Date | undefined
}

export async function sumOf(db: Queryable, filter: SumFilter): Promise<bigint> {
  const { total } = await db.one<{ total: bigint }>(sql`
    select coalesce(sum(p.amount_micro), 0) as total
    from journal_postings p join journal_entries e on e.id = p.entry_id
    where ${conditionOf(filter)}`)
  return total
}

/** A reversal of income is an outgoing posting, yet it belongs to the income: direction follows the original. */
const directionConditions = {
  in: sql`(p.amount_micro > 0) = (e.reverses is null)`,
  out: sql`(p.amount_micro < 0) = (e.reverses is null)`,
}

function conditionOf(filter: SumFilter): Sql {
  const conditions = [sql`true`]
  const add = (condition: Sql) => void conditions.push(condition)
  if (filter.account !== undefined) add(sql`p.account = ${filter.account}`)
  if (filter.kinds !== undefined) add(sql`e.kind = any(${filter.kinds}::text[])`)
  if (filter.direction !== undefined) add(directionConditions[filter.direction])
  if (filter.from !== undefined) add(sql`e.at >= ${filter.from}`)
  if (filter.to !== undefined) add(sql`e.at < ${filter.to}`)
  if (filter.jobId !== undefined) add(sql`e.job_id = ${filter.jobId}`)
  if (filter.agentId !== undefined) add(sql`e.agent_id = ${filter.agentId}`)
  if (filter.ownerId !== undefined) add(sql`e.owner_id = ${filter.ownerId}`)
  if (filter.subscriptionId !== undefined) add(sql`e.subscription_id = ${filter.subscriptionId}`)
  return sql.join(conditions, sql` and `)
}
