import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

/** An order to compare the books with the chain again, and how far it has come. */
export interface Reread {
  id: bigint
  fromBlock: bigint
  /** The last block to compare: where the books stood when the work began. Null before. */
  toBlock: bigint | null
  nextBlock: bigint
  eventsFound: number
  eventsAdded: number
  isFinished: boolean
}

const columns = sql`id, from_block, to_block, next_block, events_found, events_added, finished_at is not null as "isFinished"`

/** One at a time: an open one is returned, no matter where it began. */
export async function orderReread(
  db: Queryable,
  { chainId, fromBlock }: { chainId: number; fromBlock: bigint },
): Promise<Reread> {
  await db.run(sql`
    insert into chain_rereads (chain_id, from_block, next_block) values (${chainId}, ${fromBlock}, ${fromBlock})
    on conflict do nothing`)
  return db.one<Reread>(
    sql`select ${columns} from chain_rereads where chain_id = ${chainId} order by id desc limit 1`,
  )
}

export function readReread(db: Queryable, id: bigint): Promise<Reread> {
  return db.one<Reread>(sql`select ${columns} from chain_rereads where id = ${id}`)
}

export function findOpenReread(db: Queryable, chainId: number): Promise<Reread | undefined> {
  return db.maybeOne<Reread>(
    sql`select ${columns} from chain_rereads where chain_id = ${chainId} and finished_at is null`,
  )
}

export async function saveReread(
  db: Queryable,
  { id, toBlock, nextBlock, eventsFound, eventsAdded }: Omit<Reread, 'isFinished' | 'fromBlock'>,
): Promise<void> {
  await db.run(sql`
    update chain_rereads set to_block = ${toBlock}, next_block = ${nextBlock}, events_found = ${eventsFound},
      events_added = ${eventsAdded}, finished_at = case when ${nextBlock}::bigint > ${toBlock}::bigint then now() end
    where id = ${id} and finished_at is null`)
}
