import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Hex } from '../../ports/chain/port.ts'

/** A job that the chain closed and that the books never saw funded. */
export interface SetAsideJob {
  key: Hex
  closedBlock: bigint
  /** Above this block its events have been looked for. */
  searchedTo: bigint
}

/** Nothing is booked for it until its deposit is found; everything else goes on. */
export async function setAsideJob(
  db: Queryable,
  { chainId, key, blockNumber }: { chainId: number; key: string; blockNumber: bigint },
): Promise<void> {
  await db.run(sql`
    insert into set_aside_jobs (chain_id, key, closed_block, searched_to)
    values (${chainId}, ${key}, ${blockNumber}, ${blockNumber}) on conflict do nothing`)
}

export function listSetAsideJobs(db: Queryable, chainId: number, limit: number): Promise<SetAsideJob[]> {
  return db.rows<SetAsideJob>(sql`
    select key, closed_block, searched_to from set_aside_jobs
    where chain_id = ${chainId} order by since limit ${limit}`)
}

export async function saveSearch(
  db: Queryable,
  { chainId, key, searchedTo }: { chainId: number; key: string; searchedTo: bigint },
): Promise<void> {
  await db.run(sql`
    update set_aside_jobs set searched_to = ${searchedTo} where chain_id = ${chainId} and key = ${key}`)
}

/** Those whose deposit is known by now, and those whose end a fork took back. */
export async function dropFoundJobs(db: Queryable, chainId: number): Promise<void> {
  const standing = (name: string) => sql`exists (select 1 from chain_events e
    where e.chain_id = s.chain_id and e.subject = s.key and e.is_canonical and e.name = ${name})`
  await db.run(sql`
    delete from set_aside_jobs s where s.chain_id = ${chainId}
      and (${standing('JobFunded')} or not ${standing('JobClosed')})`)
}
