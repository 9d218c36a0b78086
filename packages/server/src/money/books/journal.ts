import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { randomBase36 } from '../../platform/id/id.ts'
import type { Account } from './accounts.ts'

export interface Posting {
  account: Account
  amountMicro: bigint
}

/** The position on the chain that an entry is about; with `logIndex` it is counted once. */
export interface JournalPlace {
  chainId: number
  txHash: string
  logIndex: number
  blockNumber: bigint
  blockHash: string
}

export interface JournalReference {
  jobId?: string | undefined
  agentId?: string | undefined
  ownerId?: string | undefined
  subscriptionId?: string | undefined
}

export interface NewEntry {
  kind: string
  at: Date
  postings: readonly Posting[]
  intentId?: string | undefined
  requestId?: string | undefined
  chain?: JournalPlace | undefined
  reference?: JournalReference | undefined
}

/** USDC moved outside the marketplace. A feature that identifies it posts at the same position, which replaces this. */
export const DIRECT_TRANSFER = 'transfer.direct'
/** What a wallet held before the books began to follow it. */
export const OPENING_BALANCE = 'transfer.opening'

/** A programming error: what was to be posted makes or loses money. */
export class UnbalancedEntry extends Error {
  override readonly name = 'UnbalancedEntry'
  readonly code = 'UNBALANCED_ENTRY'
}

/**
 * Writes one entry and returns its id. A fact of the chain (chain, transaction, log) has one standing entry: what is
 * already posted there is returned, unless it was only known as a direct transfer and gives way.
 */
export async function postEntry(tx: Transaction, entry: NewEntry): Promise<string> {
  const postings = balanced(entry.kind, entry.postings)
  const { chain } = entry
  for (;;) {
    const last = chain && (await findLast(tx, chain))
    const isStanding = last !== undefined && !last.isReversed
    const givesWay = last?.kind === DIRECT_TRANSFER && entry.kind !== DIRECT_TRANSFER
    if (isStanding && !givesWay) return last.id
    if (isStanding) await reverseEntry(tx, last.id, `recognised as ${entry.kind}`)
    const id = await insertEntry(tx, entry, postings, last === undefined ? 0 : last.generation + 1)
    if (id !== undefined) return id
    // Someone else has posted at this very place a moment ago: what stands there now decides.
  }
}

/** Whether an entry is a job's pay, or something else. */
export async function isOfJob(db: Queryable, entryId: string): Promise<boolean> {
  const { isOfJob } = await db.one<{ isOfJob: boolean }>(
    sql`select job_id is not null as "isOfJob" from journal_entries where id = ${entryId}`,
  )
  return isOfJob
}

interface LastEntry {
  id: string
  kind: string
  generation: number
  isReversed: boolean
}

/** The newest entry at a place of the chain, whatever became of it. */
function findLast(
  tx: Transaction,
  { chainId, txHash, logIndex }: JournalPlace,
): Promise<LastEntry | undefined> {
  return tx.maybeOne<LastEntry>(sql`
    select e.id, e.kind, e.generation, exists (select 1 from journal_entries r where r.reverses = e.id) as "isReversed"
    from journal_entries e
    where e.chain_id = ${chainId} and e.tx_hash = ${txHash.toLowerCase()} and e.log_index = ${logIndex}
      and e.reverses is null
    order by e.generation desc limit 1`)
}

/** Posts the opposite of an entry, once; a second call returns the existing reversal. */
export async function reverseEntry(tx: Transaction, entryId: string, reason: string): Promise<string> {
  const id = newEntryId()
  const made = await tx.maybeOne<{ id: string }>(sql`
    with reversal as (
      insert into journal_entries (id, kind, at, intent_id, request_id, chain_id, tx_hash, log_index, block_number,
        block_hash, generation, reverses, reason, job_id, agent_id, owner_id, subscription_id)
      select ${id}, kind, at, intent_id, request_id, chain_id, tx_hash, log_index, block_number,
        block_hash, generation, id, ${reason}, job_id, agent_id, owner_id, subscription_id
      from journal_entries where id = ${entryId} and reverses is null
      on conflict do nothing
      returning id, reverses
    ), posted as (
      insert into journal_postings (entry_id, account, amount_micro)
      select reversal.id, p.account, -p.amount_micro
      from reversal join journal_postings p on p.entry_id = reversal.reverses
    )
    select id from reversal`)
  if (made !== undefined) return made.id
  const { id: existing } = await tx.one<{ id: string }>(
    sql`select id from journal_entries where reverses = ${entryId}`,
  )
  return existing
}

/** Takes back all that was posted for blocks above this one; returns how many entries. */
export async function reverseEntriesAbove(
  tx: Transaction,
  { chainId, blockNumber, reason }: { chainId: number; blockNumber: bigint; reason: string },
): Promise<number> {
  const entries = await tx.rows<{ id: string }>(sql`
    select e.id from journal_entries e
    where e.chain_id = ${chainId} and e.block_number > ${blockNumber} and e.reverses is null
      and not exists (select 1 from journal_entries r where r.reverses = e.id)
    order by e.seq desc`)
  for (const { id } of entries) await reverseEntry(tx, id, reason)
  return entries.length
}

export async function balanceOf(db: Queryable, account: Account): Promise<bigint> {
  return (await balancesOf(db, [account])).get(account) ?? 0n
}

/** What each account holds, those with nothing left out: the kept balance, and what is not folded into it yet. */
export async function balancesOf(db: Queryable, accounts: readonly Account[]): Promise<Map<Account, bigint>> {
  const rows = await db.rows<{ account: Account; amountMicro: bigint }>(sql`
    select account, sum(amount_micro) as amount_micro from (
      select account, amount_micro from account_balances where account = any(${accounts})
      union all
      select account, amount_micro from unfolded_postings where account = any(${accounts})) part
    group by account having sum(amount_micro) <> 0`)
  return new Map(rows.map(({ account, amountMicro }) => [account, amountMicro]))
}

/** One posting per account, zeros dropped: a client who is also the seller appears once. */
function balanced(kind: string, postings: readonly Posting[]): Posting[] {
  const byAccount = new Map<Account, bigint>()
  let sum = 0n
  for (const { account, amountMicro } of postings) {
    sum += amountMicro
    byAccount.set(account, (byAccount.get(account) ?? 0n) + amountMicro)
  }
  if (sum !== 0n) throw new UnbalancedEntry(`the postings of ${kind} sum to ${sum}`)
  const kept = [...byAccount].filter(([, amountMicro]) => amountMicro !== 0n)
  if (kept.length < 2) throw new UnbalancedEntry(`the postings of ${kind} move nothing`)
  return kept.map(([account, amountMicro]) => ({ account, amountMicro }))
}

const newEntryId = (): string => `j${randomBase36(24)}`

/** Entry and postings in one statement: a posting is the hottest write of the engine. Undefined when the place is taken. */
async function insertEntry(
  tx: Transaction,
  { kind, at, intentId, requestId, chain, reference = {} }: NewEntry,
  postings: Posting[],
  generation: number,
): Promise<string | undefined> {
  const id = newEntryId()
  const written = await tx.run(sql`
    with entry as (
      insert into journal_entries (id, kind, at, intent_id, request_id, chain_id, tx_hash, log_index, block_number,
        block_hash, generation, job_id, agent_id, owner_id, subscription_id)
      values (${id}, ${kind}, ${at}, ${intentId ?? null}, ${requestId ?? null}, ${chain?.chainId ?? null},
        ${chain?.txHash.toLowerCase() ?? null}, ${chain?.logIndex ?? null}, ${chain?.blockNumber ?? null},
        ${chain?.blockHash ?? null}, ${generation}, ${reference.jobId ?? null}, ${reference.agentId ?? null},
        ${reference.ownerId ?? null}, ${reference.subscriptionId ?? null})
      on conflict do nothing
      returning id
    )
    insert into journal_postings (entry_id, account, amount_micro)
    select entry.id, posting.account, posting.amount_micro
    from entry, unnest(${postings.map(({ account }) => account)}::text[],
      ${postings.map(({ amountMicro }) => amountMicro)}::numeric[]) as posting (account, amount_micro)`)
  return written === 0 ? undefined : id
}

/** The place of one event of a settlement. */
export function placeOf(
  { chainId, blockNumber, blockHash }: { chainId: number; blockNumber: bigint; blockHash: string },
  event: { transactionHash: string; logIndex: number },
): JournalPlace {
  return { chainId, txHash: event.transactionHash, logIndex: event.logIndex, blockNumber, blockHash }
}
