import type { ChaosChain } from '../../../money/testing/chaos-chain.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'

/** Every pull that stands on the chain. */
export async function usesOf({ chain }: Pick<ChaosChain, 'chain'>) {
  const head = await chain.reader.getBlock('latest')
  const events = await chain.reader.getEvents({ fromBlock: 0n, toBlock: head?.number ?? 0n })
  return events.filter((event) => event.name === 'SpendPermissionUsed')
}

/** What the chain and the journal say was taken from the account. */
export async function pulledFrom(
  { db, chaos }: { db: Queryable; chaos: ChaosChain },
  account: string,
): Promise<{ chain: bigint; journal: bigint }> {
  const { journal } = await db.one<{ journal: bigint }>(sql`
    select coalesce(-sum(p.amount_micro), 0) as journal from journal_postings p
    where p.account = ${`wallet:${account.toLowerCase()}`}`)
  let onChain = 0n
  for (const event of await usesOf(chaos)) {
    if (event.account.toLowerCase() === account.toLowerCase()) onChain += event.amountMicro
  }
  return { chain: onChain, journal }
}
