import { sql } from '../../platform/db/sql.ts'
import { type Invariant, inDatabase } from './invariant.ts'

/** Entries that were not taken back. */
const standing = sql`e.reverses is null and not exists (select 1 from journal_entries r where r.reverses = e.id)`

const micro = (path: string[]) => sql`(c.args #>> ${path})::numeric`

export const journalChecks: Invariant[] = [
  inDatabase('M2', 'A job’s deposit is what was paid out of it plus what is still held', (db) =>
    db.rows(sql`
      select f.subject as key, coalesce(b.balance, 0) as "heldMicro", c.args as closed
      from chain_events f
      left join chain_events c on c.chain_id = f.chain_id and c.subject = f.subject and c.name = 'JobClosed' and c.is_canonical
      left join (select account, sum(amount_micro) as balance from journal_postings
        where account like 'escrow:%' group by account) b on b.account = 'escrow:' || lower(f.subject)
      where f.name = 'JobFunded' and f.is_canonical and (
        coalesce(b.balance, 0) <>
          case when c.subject is null then (f.args #>> '{terms,amountMicro,bigint}')::numeric else 0 end
        or (f.args #>> '{terms,amountMicro,bigint}')::numeric <> ${micro(['sellerNetMicro', 'bigint'])}
          + ${micro(['feeMicro', 'bigint'])} + ${micro(['refundedMicro', 'bigint'])})`),
  ),
  inDatabase('M3', 'A job pays out at most once', (db) =>
    db.rows(sql`
      select p.account, count(*)::int as payouts from journal_postings p join journal_entries e on e.id = p.entry_id
      where p.account like 'escrow:%' and p.amount_micro < 0 and ${standing}
      group by p.account having count(*) > 1`),
  ),
  inDatabase(
    'M4',
    'The fee is two percent of what the seller earned, rounded down; x402 carries none',
    (db) =>
      db.rows(sql`
      select c.subject as key, c.args from chain_events c
      where c.name = 'JobClosed' and c.is_canonical and ${micro(['feeMicro', 'bigint'])} <>
        div((${micro(['sellerNetMicro', 'bigint'])} + ${micro(['feeMicro', 'bigint'])}) * 2, 100)
      union all
      select e.id, to_jsonb(e) from journal_entries e
      where e.kind like 'x402%' and (select count(*) from journal_postings p where p.entry_id = e.id) <> 2`),
  ),
  inDatabase('M10', 'Every journal entry sums to zero', (db) =>
    db.rows(sql`
      select e.id, e.kind, coalesce(sum(p.amount_micro), 0) as "sumMicro", count(p.*)::int as postings
      from journal_entries e left join journal_postings p on p.entry_id = e.id
      group by e.id having coalesce(sum(p.amount_micro), 0) <> 0 or count(p.*) < 2`),
  ),
  inDatabase('M10', 'The database refuses to change the journal, and checks that it balances', (db) =>
    db.rows(sql`
      select wanted.name from unnest(array['journal_entries_append_only', 'journal_postings_append_only',
        'journal_entries_balance', 'journal_postings_balance']) as wanted (name)
      where not exists (select 1 from pg_trigger t where t.tgname = wanted.name and t.tgenabled = 'O')`),
  ),
  inDatabase(
    'M10',
    'Every money event of the escrow has exactly one standing entry, and no other has',
    (db) =>
      db.rows(sql`
      select coalesce(v.tx_hash, e.tx_hash) as "txHash", coalesce(v.log_index, e.log_index) as "logIndex", v.name, e.kind
      from (select * from chain_events where is_canonical
        and name in ('JobFunded', 'JobClosed', 'PaymentDeferred', 'PaymentClaimed')) v
      full join (select e.* from journal_entries e where e.kind like 'escrow.%' and ${standing}) e
        on e.chain_id = v.chain_id and e.tx_hash = v.tx_hash and e.log_index = v.log_index and e.block_hash = v.block_hash
      where v.tx_hash is null or e.id is null`),
  ),
  inDatabase(
    'M10',
    'An entry at the place of a transfer moves what the transfer moved, and stands in its block',
    (db) =>
      db.rows(sql`
      select e.id, e.kind, e.tx_hash, e.log_index, v.args
      from journal_entries e
      join chain_events v on v.chain_id = e.chain_id and v.tx_hash = e.tx_hash and v.log_index = e.log_index
      where v.name = 'UsdcTransferred' and v.is_canonical and ${standing} and (v.block_hash <> e.block_hash or
        (select sum(p.amount_micro) from journal_postings p where p.entry_id = e.id and p.amount_micro > 0)
          <> (v.args #>> '{amountMicro,bigint}')::numeric)`),
  ),
  inDatabase('M11', 'A fact of the chain is counted once', (db) =>
    db.rows(sql`
      select e.chain_id, lower(e.tx_hash) as "txHash", e.log_index,
        array_agg(e.kind) as kinds
      from journal_entries e where e.log_index is not null and ${standing}
      group by 1, 2, 3 having count(*) > 1`),
  ),
  inDatabase(
    'G21',
    'An entry made by a transaction of ours names its intent and the intent’s request',
    (db) =>
      db.rows(sql`
      select e.id, e.kind, e.tx_hash, e.intent_id, h.intent_id as "wantedIntentId"
      from journal_entries e join chain_transaction_hashes h on h.chain_id = e.chain_id and h.hash = e.tx_hash
      join intents i on i.id = h.intent_id
      where e.intent_id is distinct from h.intent_id or e.request_id is distinct from i.request_id`),
  ),
  inDatabase('G21', 'The block of every standing entry is known', (db) =>
    db.rows(sql`
      select e.id, e.kind, e.block_number from journal_entries e
      where e.block_number is not null and ${standing} and not exists (
        select 1 from chain_blocks b where b.chain_id = e.chain_id and b.number = e.block_number and b.hash = e.block_hash)`),
  ),
]
