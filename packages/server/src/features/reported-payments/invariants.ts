import { agents } from '../../house/books/subjects.ts'
import { type Invariant, inDatabase, type Subject } from '../../money/audit/invariant.ts'
import { keysBy, rowsOf } from '../../money/audit/keys.ts'
import { isStanding } from '../../money/books/standing.ts'
import { sql } from '../../platform/db/sql.ts'

/** Journal entries, as what they claim: a record of the log can break them too. */
const claims: Subject = {
  name: 'claim',
  list: rowsOf('journal_entries', 'id'),
  follows: {
    entry: async (_db, keys) => keys,
    report: keysBy(
      (keys) => sql`
        select distinct p.entry_id as key from unnest(${keys}::text[]) as report (id)
        join journal_postings p on p.account = 'outside:claim:' || report.id`,
    ),
  },
}

/** What the log of payments promises beyond the money engine; anyone may check it at any moment. */
export const x402Invariants: readonly Invariant[] = [
  inDatabase(
    claims,
    'X1',
    'A claim stands once, for what was logged, while the chain does not show it; and is nobody’s money',
    (db, keys) =>
      db.rows(sql`
      with claims as (
        select e.id, e.kind, mine.account, mine.amount_micro, other.account as log_account, logged.id as log_id,
          logged.verification, logged.payee_wallet, logged.amount_micro as logged_micro,
          ${isStanding(sql`e`)} as is_standing
        from journal_postings mine join journal_entries e on e.id = mine.entry_id
        left join journal_postings other on other.entry_id = e.id and other.account like 'outside:claim:%'
        left join x402_transactions logged on logged.id = split_part(other.account, ':', 3)
        where mine.entry_id = any(${keys}) and mine.account like 'claimed:%'
      )
      select id as key, kind, account, amount_micro, log_id, verification from claims
      where kind <> 'x402.claimed' or log_id is null or account <> 'claimed:' || lower(payee_wallet)
        or abs(amount_micro) <> logged_micro or (is_standing and verification = 'VERIFIED')
        or (is_standing and exists (
          select 1 from journal_postings twin join journal_entries t on t.id = twin.entry_id
          where twin.account = claims.log_account and t.id <> claims.id and ${isStanding(sql`t`)}))`),
  ),

  inDatabase(
    agents,
    'X2',
    'An agent’s count of logged payments is that of those that count, and these are on chain',
    (db, keys) =>
      db.rows(sql`
      with counted as (
        select agent_id, count(*) as count, bool_and(verification = 'VERIFIED') as "areOnChain"
        from x402_transactions where agent_id = any(${keys}) and counted group by agent_id
      )
      select agents.id as key, agents.verified_x402_payments as stored, counted.count, "areOnChain"
      from agents left join counted on counted.agent_id = agents.id
      where agents.id = any(${keys})
        and (agents.verified_x402_payments <> coalesce(counted.count, 0) or "areOnChain" is false)`),
  ),
]
