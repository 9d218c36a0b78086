import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { SenderName } from '../../ports/chain/port.ts'
import type { Account } from '../books/accounts.ts'
import type { Finality, Intent, NewIntent } from './intents.ts'

/** Named as an intent's own fields are: a row is an intent. */
const columns: Sql = sql`intents.id, intents.kind, intents.key, intents.payload, intents.sender, intents.status,
  intents.reason, intents.tx_hash, intents.request_id, intents.created_at, intents.is_final as final`

/** Nothing when the key is taken. Waits for another transaction that is about to take it. */
export function insertIntent(
  db: Queryable,
  { id, kind, key, payload, requestId, lane, afterFinal }: NewIntent & { id: string },
  { sender, finality, payer }: { sender: SenderName; finality: Finality; payer: Account | undefined },
): Promise<Intent | undefined> {
  return db.maybeOne<Intent>(sql`
    insert into intents (id, kind, key, payload, sender, lane, finality, request_id, after_intent_id, rests_on_block)
    values (${id}, ${kind}, ${key}, ${sql.json(payload)}, ${sender}, ${lane ?? null}, ${finality}, ${requestId},
      ${afterFinal ?? null}, (
        select max(e.block_number) from journal_postings p join journal_entries e on e.id = p.entry_id
        where p.account = ${payer ?? null} and p.amount_micro > 0))
    on conflict (key) do nothing
    returning ${columns}`)
}

export function findIntentByKey(db: Queryable, key: string): Promise<Intent | undefined> {
  return db.maybeOne<Intent>(sql`select ${columns} from intents where key = ${key}`)
}

export function findIntentById(db: Queryable, id: string): Promise<Intent | undefined> {
  return db.maybeOne<Intent>(sql`select ${columns} from intents where id = ${id}`)
}

/** Whether the stored intent says the same; the database compares, so that the order of keys does not matter. */
export async function isSameIntent(db: Queryable, { kind, key, payload }: NewIntent): Promise<boolean> {
  const { isSame } = await db.one<{ isSame: boolean }>(sql`
    select kind = ${kind} and payload = ${sql.json(payload)}::jsonb as "isSame" from intents where key = ${key}`)
  return isSame
}

export interface Claim {
  token: bigint
  intents: ClaimedIntent[]
}

/** With how often it was claimed, this time included, how often its trial was refused, and at which block the last time. */
export type ClaimedIntent = Intent & {
  attempts: number
  refusals: number
  refusedBlock: bigint | null
  refusedHash: string | null
  /** In which words, the last time. */
  refusal: string | null
}

/**
 * Takes pending intents, oldest first, for a limited time. Those that another worker holds are passed over, and so are
 * those whose lane still waits for an outcome, or that wait for something to be final; all of them while the engine is halted. The database's clock decides, never
 * a process's.
 */
export async function claimIntents(
  db: Queryable,
  {
    chainId,
    sender,
    limit,
    leaseSeconds,
  }: { chainId: number; sender: SenderName; limit: number; leaseSeconds: number },
): Promise<Claim> {
  const rows = await db.rows<ClaimedIntent & { token: bigint; seq: bigint }>(sql`
    with token as materialized (select nextval('intents_claim_token') as value),
    chosen as materialized (
      select i.id from intents i
      where i.status = 'PENDING' and i.sender = ${sender}
        and (i.claimed_until is null or i.claimed_until < now())
        and (i.lane is null or not exists (
          select 1 from intents earlier
          where earlier.lane = i.lane and earlier.seq < i.seq and earlier.status in ('PENDING', 'SUBMITTED')))
        and (i.after_intent_id is null or exists (
          select 1 from intents earlier where earlier.id = i.after_intent_id and earlier.is_final))
        and (i.rests_on_block is null or exists (
          select 1 from chain_cursors where chain_id = ${chainId} and finalized_number >= i.rests_on_block))
        and not exists (select 1 from chain_cursors where chain_id = ${chainId} and halted_reason is not null)
      order by i.seq limit ${limit}
      for update of i skip locked
    )
    update intents set claim_token = token.value, attempts = attempts + 1,
      claimed_until = now() + make_interval(secs => ${leaseSeconds}::float8)
    from chosen, token where intents.id = chosen.id
    returning ${columns}, intents.seq, intents.attempts, intents.refusals,
      intents.refused_block, intents.refused_hash, intents.refusal,
      intents.claim_token as token`)
  const inOrder = rows.toSorted((a, b) => Number(a.seq - b.seq))
  return {
    token: rows[0]?.token ?? 0n,
    intents: inOrder.map(({ token: _token, seq: _seq, ...intent }) => intent),
  }
}

/** Nothing was sent: someone may try again after a pause, which grows with the attempts up to five minutes. */
export async function postponeIntents(
  db: Queryable,
  { ids, token }: { ids: string[]; token: bigint },
): Promise<void> {
  await db.run(sql`
    update intents
    set claimed_until = now() + make_interval(secs => least(300, power(2, least(attempts, 9)))::float8)
    where id = any(${ids}) and claim_token = ${token} and status = 'PENDING'`)
}

/** After this many attempts the pauses grow; a call rejected with a different reason each time is retried indefinitely. */
const PATIENT_ATTEMPTS = 10

/** Refused, and not yet for good: tried again after a pause, at a later block. */
export async function noteRefusals(
  db: Queryable,
  {
    refused,
    token,
    pauseSeconds,
  }: {
    refused: { id: string; refusals: number; block: bigint; hash: string; refusal: string }[]
    token: bigint
    pauseSeconds: number
  },
): Promise<void> {
  await db.run(sql`
    update intents set refusals = r.refusals, refused_block = r.block, refused_hash = r.hash, refusal = r.refusal,
      claimed_until = now() + make_interval(secs => least(300,
        ${pauseSeconds}::float8 * power(2, least(greatest(attempts - ${PATIENT_ATTEMPTS}, 0), 9))))
    from unnest(${refused.map(({ id }) => id)}::text[], ${refused.map(({ refusals }) => refusals)}::int[],
      ${refused.map(({ block }) => block)}::bigint[], ${refused.map(({ hash }) => hash)}::text[],
      ${refused.map(({ refusal }) => refusal)}::text[]) as r (id, refusals, block, hash, refusal)
    where intents.id = r.id and claim_token = ${token} and status = 'PENDING'`)
}

/** A trial went through: what was refused before is not confirmed, and counts no more, whatever becomes of this claim. */
export async function forgetRefusals(
  db: Queryable,
  { ids, token }: { ids: string[]; token: bigint },
): Promise<void> {
  await db.run(sql`
    update intents set refusals = 0, refused_block = null, refused_hash = null, refusal = null
    where id = any(${ids}) and claim_token = ${token} and status = 'PENDING'`)
}

/** Only the claim's holder may end it; does nothing when it is no longer this worker's. */
export function rejectPendingIntent(
  db: Queryable,
  { id, token, reason }: { id: string; token: bigint; reason: string },
): Promise<Intent | undefined> {
  return db.maybeOne<Intent>(sql`
    update intents set status = 'REJECTED', reason = ${reason}, is_final = true, claimed_until = null
    where id = ${id} and claim_token = ${token} and status = 'PENDING'
    returning ${columns}`)
}

export interface EndedIntent {
  id: string
  status: 'SETTLED' | 'REJECTED'
  reason: string | null
  txHash: string
  blockNumber: bigint
  blockHash: string
}

/** Marks outcomes; returns the intents that were still open, by id. */
export async function endIntents(db: Queryable, ended: EndedIntent[]): Promise<Map<string, Intent>> {
  const rows = await db.rows<Intent>(sql`
    update intents set status = e.status, reason = e.reason, tx_hash = e.tx_hash, block_number = e.block_number,
      block_hash = e.block_hash, is_final = intents.finality = 'confirmed'
    from unnest(${ended.map(({ id }) => id)}::text[], ${ended.map(({ status }) => status)}::text[],
      ${ended.map(({ reason }) => reason)}::text[], ${ended.map(({ txHash }) => txHash)}::text[],
      ${ended.map(({ blockNumber }) => blockNumber)}::bigint[], ${ended.map(({ blockHash }) => blockHash)}::text[])
      as e (id, status, reason, tx_hash, block_number, block_hash)
    where intents.id = e.id and intents.status = 'SUBMITTED'
    returning ${columns}`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Takes back every outcome above a block, newest first. */
export async function reopenIntentsAbove(db: Queryable, blockNumber: bigint): Promise<Intent[]> {
  const rows = await db.rows<Intent & { blockNumber: bigint; seq: bigint }>(sql`
    with taken as (
      select id, block_number, seq from intents where block_number > ${blockNumber} for update
    )
    update intents set status = 'SUBMITTED', reason = null, block_number = null, block_hash = null, is_final = false
    from taken where intents.id = taken.id
    returning ${columns}, taken.block_number, taken.seq`)
  return rows
    .toSorted((a, b) => Number(b.blockNumber - a.blockNumber) || Number(b.seq - a.seq))
    .map(({ blockNumber: _number, seq: _seq, ...intent }) => intent)
}

/** So many outcomes become final by one statement. */
const FINAL_AT_ONCE = 1_000

/** What the chain calls safe and final by now, and the outcomes whose blocks are deep enough for their amounts. */
export async function markFinal(
  db: Queryable,
  chainId: number,
  { safeNumber, finalizedNumber }: { safeNumber: bigint; finalizedNumber: bigint },
): Promise<void> {
  await db.run(sql`
    update chain_cursors set safe_number = ${safeNumber}, finalized_number = ${finalizedNumber}
    where chain_id = ${chainId} and (safe_number, finalized_number) <> (${safeNumber}, ${finalizedNumber})`)
  let count: number
  do
    count = await db.run(sql`
      update intents set is_final = true where id = any(array(
        select id from intents where block_number is not null and not is_final
          and block_number <= case finality when 'finalized' then ${finalizedNumber}::bigint else ${safeNumber}::bigint end
        limit ${FINAL_AT_ONCE}))`)
  while (count === FINAL_AT_ONCE)
}
