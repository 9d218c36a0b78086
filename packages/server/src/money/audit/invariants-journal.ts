import { sql } from '../../platform/db/sql.ts'
import { isStanding } from '../books/standing.ts'
import { type Invariant, inDatabase } from './invariant.ts'
import { blocks, entries, escrows, transactions, whole } from './subjects.ts'
import { neededTriggers } from './triggers.ts'

const standing = isStanding(sql`e`)

const micro = (path: string[]) => sql`(c.args #>> ${path})::numeric`

export const journalChecks: Invariant[] = [
  inDatabase(
    escrows,
    'M2',
    'A job’s deposit is what was paid out of it plus what is still held',
    (db, keys) =>
      db.rows(sql`
      select f.subject as key, b.balance as "heldMicro", c.args as closed
      from chain_events f
      left join chain_events c on c.chain_id = f.chain_id and c.subject = f.subject and c.name = 'JobClosed' and c.is_canonical
      cross join lateral (select coalesce(sum(amount_micro), 0) as balance from journal_postings
        where account = 'escrow:' || lower(f.subject)) b
      where f.subject = any(${keys}) and f.name = 'JobFunded' and f.is_canonical and (
        b.balance <> case when c.subject is null then (f.args #>> '{terms,amountMicro,bigint}')::numeric else 0 end
        or (f.args #>> '{terms,amountMicro,bigint}')::numeric <> ${micro(['sellerNetMicro', 'bigint'])}
          + ${micro(['feeMicro', 'bigint'])} + ${micro(['refundedMicro', 'bigint'])})`),
  ),
  inDatabase(escrows, 'M3', 'A job pays out at most once', (db, keys) =>
    db.rows(sql`
      select job.key, count(*)::int as payouts
      from unnest(${keys}::text[]) as job (key)
      join journal_postings p on p.account = 'escrow:' || lower(job.key) join journal_entries e on e.id = p.entry_id
      where p.amount_micro < 0 and ${standing}
      group by job.key having count(*) > 1`),
  ),
  inDatabase(escrows, 'M4', 'The fee is two percent of what the seller earned, rounded down', (db, keys) =>
    db.rows(sql`
      select c.subject as key, c.args from chain_events c
      where c.subject = any(${keys}) and c.name = 'JobClosed' and c.is_canonical and ${micro(['feeMicro', 'bigint'])} <>
        div((${micro(['sellerNetMicro', 'bigint'])} + ${micro(['feeMicro', 'bigint'])}) * 2, 100)`),
  ),
  inDatabase(entries, 'M4', 'An x402 payment carries no fee', (db, keys) =>
    db.rows(sql`
      select e.id as key, e.kind from journal_entries e
      where e.id = any(${keys}) and e.kind like 'x402%'
        and (select count(*) from journal_postings p where p.entry_id = e.id) <> 2`),
  ),
  inDatabase(entries, 'M10', 'Every journal entry sums to zero', (db, keys) =>
    db.rows(sql`
      select e.id as key, e.kind, coalesce(sum(p.amount_micro), 0) as "sumMicro", count(p.*)::int as postings
      from journal_entries e left join journal_postings p on p.entry_id = e.id
      where e.id = any(${keys})
      group by e.id having coalesce(sum(p.amount_micro), 0) <> 0 or count(p.*) < 2`),
  ),
  inDatabase(
    whole,
    'M10',
    'The database refuses to change the journal, checks that it balances, and notes what the audit has to see',
    (db) =>
      db.rows(sql`
      select needed.trigger as key, needed.table
      from unnest(${neededTriggers.map(({ table }) => table)}::text[],
        ${neededTriggers.map(({ trigger }) => trigger)}::text[]) as needed ("table", trigger)
      where not exists (select 1 from pg_trigger t
        where t.tgrelid = to_regclass(needed.table) and t.tgname = needed.trigger and t.tgenabled = 'O')`),
  ),
  inDatabase(
    transactions,
    'M10',
    'Every money event of the escrow has exactly one standing entry, and no other has',
    (db, keys) =>
      db.rows(sql`
      select coalesce(v.tx_hash, e.tx_hash) as key, coalesce(v.log_index, e.log_index) as "logIndex", v.name, e.kind
      from (select v.* from chain_cursors c join chain_events v on v.chain_id = c.chain_id and v.tx_hash = any(${keys})
        where v.is_canonical and v.name in ('JobFunded', 'JobClosed', 'PaymentDeferred', 'PaymentClaimed')) v
      full join (select e.* from journal_entries e
        where e.tx_hash = any(${keys}) and e.kind like 'escrow.%' and ${standing}) e
        on e.chain_id = v.chain_id and e.tx_hash = v.tx_hash and e.log_index = v.log_index and e.block_hash = v.block_hash
      where v.tx_hash is null or e.id is null`),
  ),
  inDatabase(
    transactions,
    'M10',
    'An entry at the place of a transfer moves what the transfer moved, and stands in its block',
    (db, keys) =>
      db.rows(sql`
      select e.tx_hash as key, e.id, e.kind, e.log_index, v.args
      from journal_entries e
      join chain_events v on v.chain_id = e.chain_id and v.tx_hash = e.tx_hash and v.log_index = e.log_index
      where e.tx_hash = any(${keys}) and v.name = 'UsdcTransferred' and v.is_canonical and ${standing}
        and (v.block_hash <> e.block_hash or
          (select sum(p.amount_micro) from journal_postings p where p.entry_id = e.id and p.amount_micro > 0)
            <> (v.args #>> '{amountMicro,bigint}')::numeric)`),
  ),
  inDatabase(transactions, 'M11', 'A fact of the chain is counted once', (db, keys) =>
    db.rows(sql`
      select e.tx_hash as key, e.chain_id, e.log_index, array_agg(e.kind) as kinds
      from journal_entries e where e.tx_hash = any(${keys}) and e.log_index is not null and ${standing}
      group by 1, 2, 3 having count(*) > 1`),
  ),
  inDatabase(
    transactions,
    'G21',
    'An entry made by a transaction of ours names its intent and the intent’s request',
    (db, keys) =>
      db.rows(sql`
      select e.tx_hash as key, e.id, e.kind, e.intent_id, h.intent_id as "wantedIntentId"
      from journal_entries e join chain_transaction_hashes h on h.chain_id = e.chain_id and h.hash = e.tx_hash
      join intents i on i.id = h.intent_id
      where e.tx_hash = any(${keys})
        and (e.intent_id is distinct from h.intent_id or e.request_id is distinct from i.request_id)`),
  ),
  inDatabase(blocks, 'G21', 'The block of every standing entry is known', (db, keys) =>
    db.rows(sql`
      select e.block_number::text as key, e.id, e.kind from chain_cursors c
      join journal_entries e on e.chain_id = c.chain_id and e.block_number = any(${keys}::bigint[])
      where ${standing} and not exists (
        select 1 from chain_blocks b where b.chain_id = e.chain_id and b.number = e.block_number and b.hash = e.block_hash)`),
  ),
]
