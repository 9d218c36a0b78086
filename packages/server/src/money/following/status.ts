import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

/** Why nothing may be sent now; undefined in good times. */
export async function haltedReason(db: Queryable, chainId: number): Promise<string | undefined> {
  const row = await db.maybeOne<{ reason: string | null }>(
    sql`select halted_reason as reason from chain_cursors where chain_id = ${chainId}`,
  )
  return row?.reason ?? undefined
}

export async function halt(db: Queryable, chainId: number, reason: string): Promise<void> {
  await db.run(
    sql`update chain_cursors set halted_reason = ${reason}, updated_at = now() where chain_id = ${chainId}`,
  )
}

/** Returns why it was halted; undefined when it was not. */
export async function endHalt(db: Queryable, chainId: number): Promise<string | undefined> {
  const row = await db.maybeOne<{ reason: string }>(sql`
    with halted as (
      select halted_reason as reason from chain_cursors
      where chain_id = ${chainId} and halted_reason is not null for update
    )
    update chain_cursors set halted_reason = null, updated_at = now() from halted
    where chain_id = ${chainId} returning halted.reason`)
  return row?.reason
}

/** The time up to which the books know the chain: that of their last block. Undefined before it, and while all is halted. */
export async function readBookedTime(db: Queryable, chainId: number): Promise<Date | undefined> {
  const row = await db.maybeOne<{ time: Date }>(sql`
    select b.time from chain_cursors c join chain_blocks b on b.chain_id = c.chain_id and b.number = c.block_number
    where c.chain_id = ${chainId} and c.halted_reason is null`)
  return row?.time
}

/** Whether the books are at this block, and nothing that may go out waits to be sent, looked up, made final or taken up. */
export async function isAtRest(
  db: Queryable,
  { chainId, headHash, isOperator }: { chainId: number; headHash: string; isOperator: boolean },
): Promise<boolean> {
  const { isAtRest } = await db.one<{ isAtRest: boolean }>(sql`
    select exists (select 1 from chain_cursors where chain_id = ${chainId} and block_hash = ${headHash})
      and not exists (select 1 from intents
        where status = 'PENDING' and (claimed_until is null or claimed_until < now())
          and (sender <> 'operator' or ${isOperator}))
      and not exists (select 1 from chain_transactions where chain_id = ${chainId} and status = 'OPEN')
      and not exists (select 1 from intents where block_number is not null and not is_final)
      and not exists (select 1 from watched_wallets where since_block is null)
      and not exists (select 1 from chain_rereads where chain_id = ${chainId} and finished_at is null) as "isAtRest"`)
  return isAtRest
}

export interface MoneyStatus {
  haltedReason: string | null
  /** The block up to which everything is booked; null before the first one. */
  blockNumber: bigint | null
  /** When that last moved. */
  updatedAt: Date | null
  pendingCount: number
  submittedCount: number
  /** How long the oldest intent without an outcome has been waiting. */
  oldestSeconds: number
  /** Wallets that wait to be taken up. */
  newWalletCount: number
  /** Jobs that were closed on chain and that the books never saw funded. */
  setAsideCount: number
  /** False: the escrow’s operator is not our key, and its transactions wait. */
  isOperator: boolean
}

/** Wallets whose USDC is read with every block. All of them are counted, so it is for the admin's page alone. */
export async function countFollowed(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int from watched_wallets where since_block is not null`,
  )
  return count
}

/** For health, metrics and the admin's page. It costs what is open, however many wallets there are. */
export function readStatus(db: Queryable, chainId: number): Promise<Omit<MoneyStatus, 'isOperator'>> {
  return db.one(sql`
    select c.halted_reason, c.block_number, c.updated_at,
      count(*) filter (where i.status = 'PENDING')::int as "pendingCount",
      count(*) filter (where i.status = 'SUBMITTED')::int as "submittedCount",
      coalesce(extract(epoch from now() - min(i.created_at)), 0)::int as "oldestSeconds",
      (select count(*) from watched_wallets where since_block is null)::int as "newWalletCount",
      (select count(*) from set_aside_jobs where chain_id = ${chainId})::int as "setAsideCount"
    from (select 1) as always
    left join chain_cursors c on c.chain_id = ${chainId}
    left join intents i on i.status in ('PENDING', 'SUBMITTED')
    group by c.halted_reason, c.block_number, c.updated_at`)
}
