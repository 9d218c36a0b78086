import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import { type DuePlace, isAfter } from '../../platform/queue/due-work.ts'

/** More is held for this recipient, or less when something arrived. More is tried at once. */
export async function changeHeld(
  db: Queryable,
  { recipient, byMicro, now }: { recipient: string; byMicro: bigint; now: Date },
): Promise<void> {
  await db.run(sql`
    insert into held_payments (recipient, held_micro, next_try_at)
    values (${recipient}, greatest(0, ${byMicro}::bigint), case when ${byMicro}::bigint > 0 then ${now}::timestamptz end)
    on conflict (recipient) do update set held_micro = greatest(0, held_payments.held_micro + ${byMicro}::bigint),
      attempts = case when ${byMicro}::bigint > 0 then 0 else held_payments.attempts end,
      next_try_at = case when held_payments.held_micro + ${byMicro}::bigint <= 0 then null
        when ${byMicro}::bigint > 0 then ${now}::timestamptz else held_payments.next_try_at end`)
}

const isDue = (now: Date) => sql`next_try_at <= ${now} and held_micro > 0`

/** The id of each is its recipient. */
export function listDue(
  db: Queryable,
  { now, after, limit }: { now: Date; after: DuePlace | undefined; limit: number },
): Promise<DuePlace[]> {
  return db.rows(sql`
    select recipient as id, next_try_at::text as at from held_payments
    where ${isDue(now)} and ${isAfter(sql`next_try_at`, sql`recipient`, after)}
    order by next_try_at, recipient limit ${limit}`)
}

/** From then on it waits for the outcome of its claim. False where that is so already. */
export async function takeDue(tx: Queryable, recipient: string, now: Date): Promise<boolean> {
  const taken = await tx.run(sql`
    update held_payments set next_try_at = null where recipient = ${recipient} and ${isDue(now)}`)
  return taken === 1
}

export async function findNextTry(db: Queryable, after: Date): Promise<Date | undefined> {
  const { at } = await db.one<{ at: Date | null }>(
    sql`select min(next_try_at) as at from held_payments where next_try_at > ${after}`,
  )
  return at ?? undefined
}

/** A claim was refused: the next one waits twice as long, up to the longest pause. */
export async function postponeClaim(
  db: Queryable,
  {
    recipient,
    now,
    firstSeconds,
    longestSeconds,
  }: { recipient: string; now: Date; firstSeconds: number; longestSeconds: number },
): Promise<void> {
  await db.run(sql`
    update held_payments set attempts = attempts + 1, next_try_at = ${now}::timestamptz
      + make_interval(secs => least(${longestSeconds}, ${firstSeconds} * power(2, least(attempts, 20)))::float8)
    where recipient = ${recipient} and held_micro > 0`)
}
