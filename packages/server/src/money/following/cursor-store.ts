import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { BlockHeader } from '../../ports/chain/port.ts'

export interface Cursor {
  blockNumber: bigint
  blockHash: string
  haltedReason: string | null
  /** Which set of wallets is followed. */
  watchVersion: bigint
}

/** How far the chain was read; undefined before the first time. */
export function readCursor(db: Queryable, chainId: number): Promise<Cursor | undefined> {
  return db.maybeOne<Cursor>(sql`
    select block_number, block_hash, halted_reason, watch_version
    from chain_cursors where chain_id = ${chainId}`)
}

export async function beginCursor(db: Queryable, chainId: number, block: BlockHeader): Promise<void> {
  await storeBlocks(db, chainId, [block])
  await db.run(sql`
    insert into chain_cursors (chain_id, block_number, block_hash) values (${chainId}, ${block.number}, ${block.hash})
    on conflict do nothing`)
}

/** Locks the cursor; false when another worker has moved it, or changed what is followed, since it was read. */
export async function lockCursor(
  db: Queryable,
  chainId: number,
  { blockNumber, blockHash, watchVersion }: Cursor,
): Promise<boolean> {
  const row = await db.maybeOne(sql`
    select 1 as locked from chain_cursors
    where chain_id = ${chainId} and block_number = ${blockNumber} and block_hash = ${blockHash}
      and watch_version = ${watchVersion} for update`)
  return row !== undefined
}

/**
 * Locks the cursor, wherever it is by now. False when a fork went below where it was, or when one of these blocks is none
 * of ours: what was read of them does not fit the books.
 */
export async function isStillOurs(
  db: Queryable,
  chainId: number,
  { blockNumber, blockHash, watchVersion }: Cursor,
  blocks: readonly { number: bigint; hash: string }[],
): Promise<boolean> {
  const row = await db.maybeOne(sql`
    select 1 as locked from chain_cursors
    where chain_id = ${chainId} and block_number >= ${blockNumber} and watch_version = ${watchVersion}
    for update`)
  if (row === undefined) return false
  const known = await db.rows<{ number: bigint; hash: string }>(sql`
    select number, hash from chain_blocks where chain_id = ${chainId}
      and number = any(${[blockNumber, ...blocks.map(({ number }) => number)]}::bigint[])`)
  const hashes = new Map(known.map(({ number, hash }) => [number, hash]))
  if (hashes.get(blockNumber) !== blockHash) return false
  return blocks.every(({ number, hash }) => (hashes.get(number) ?? hash) === hash)
}

/** Blocks that are read again after a way back are pruned again, too. */
export async function moveCursor(
  db: Queryable,
  chainId: number,
  block: { number: bigint; hash: string },
): Promise<void> {
  await db.run(sql`
    update chain_cursors set block_number = ${block.number}, block_hash = ${block.hash}, updated_at = now(),
      pruned_number = least(pruned_number, ${block.number})
    where chain_id = ${chainId}`)
}

export async function storeBlocks(db: Queryable, chainId: number, blocks: BlockHeader[]): Promise<void> {
  await db.run(sql`
    insert into chain_blocks (chain_id, number, hash, parent_hash, time)
    select ${chainId}, b.number, b.hash, b.parent_hash, to_timestamp(b.time)
    from unnest(${blocks.map(({ number }) => number)}::bigint[], ${blocks.map(({ hash }) => hash)}::text[],
      ${blocks.map(({ parentHash }) => parentHash)}::text[], ${blocks.map(({ timestamp }) => timestamp)}::float8[])
      as b (number, hash, parent_hash, time)
    on conflict (chain_id, number) do nothing`)
}

/** The newest stored blocks, newest first. */
export function listBlocks(
  db: Queryable,
  chainId: number,
  limit: number,
): Promise<{ number: bigint; hash: string }[]> {
  return db.rows(
    sql`select number, hash from chain_blocks where chain_id = ${chainId} order by number desc limit ${limit}`,
  )
}

/** Blocks that are final and that nothing refers to: they were kept to notice forks, and there can be none any more. */
export function pruneBlocks(db: Database, chainId: number): Promise<number> {
  return db.transaction(async (tx) => {
    const span = await tx.maybeOne<{ since: bigint; until: bigint }>(sql`
      select pruned_number as since, least(finalized_number, block_number) as until from chain_cursors
      where chain_id = ${chainId} and pruned_number < least(finalized_number, block_number) for update`)
    if (span === undefined) return 0
    await tx.run(sql`update chain_cursors set pruned_number = ${span.until} where chain_id = ${chainId}`)
    return tx.run(sql`
      delete from chain_blocks b
      where b.chain_id = ${chainId} and b.number >= ${span.since} and b.number < ${span.until}
        and not exists (select 1 from chain_events e
          where e.chain_id = b.chain_id and e.block_number = b.number and e.is_canonical)
        and not exists (select 1 from journal_entries j where j.chain_id = b.chain_id and j.block_number = b.number)
        and not exists (select 1 from intents i where i.block_number = b.number)`)
  })
}
