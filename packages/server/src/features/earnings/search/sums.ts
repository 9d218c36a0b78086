import { isTreasury } from '../../../money/roles/roles.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { type EarningFilter, earned, earningColumns, isIncome, loggedByClaim, rangesOf } from '../earned.ts'
import { summed } from '../kept/summed.ts'
import { sumsOf } from '../kept/sums.ts'
import { anchorsOf } from './anchors.ts'
import { finding, isInRange } from './finding.ts'

/**
 * Sums of what a search finds. Where it finds most entries of an account, the entries that it does not find are added up
 * instead, and subtracted from the sums of the whole account, most of which are stored.
 */
export function sumsOfFound(filter: EarningFilter): Sql {
  const { words = [], source, ...rest } = filter
  if (anchorsOf(words).length < words.length) return summed(earned(rangesOf(filter), filter))
  return sql`
    with ${finding(rangesOf(filter), words)},
    entry as materialized (
      select range.account, known.at, known.seq, known.entry_id, known.entry_id in (select id from found) as is_found
      from searched range join earning_entries known on ${isInRange} where not range.is_named),
    mostly_found as materialized (
      select account from searched where is_named
      union all
      select account from entry group by account having count(*) filter (where is_found) * 2 > count(*)),
    ${detailsOf(sql`
      select * from entry where is_found <> (account in (select account from mostly_found))`)}
    select account, day, source, service_id, has_job, count, net_micro, fee_micro, unverified_micro
    from (${sumsOf({ ...rest, source })}) kept
    where (select count(*) from mostly_found) > 0 and (account in (select account from mostly_found)) is true
    union all
    select account, day, source, service_id, has_job, sign * count, sign * net_micro, sign * fee_micro,
      sign * unverified_micro
    from (${summed(sql`
      select ${earningColumns(sql`e.fee_micro`)} from detailed e ${usualAliases} where e.account is not null and ${isIncome(source)}`)}) sums
    cross join lateral (select case when account in (select account from mostly_found) then -1 else 1 end as sign) how`
}

/**
 * The details of many entries, as the common table expression `detailed`. Each table is read in one scan: reading one entry
 * after the other takes several times as long. The planner expects few rows, and would choose nested loops; full joins rule
 * these out.
 */
const detailsOf = (chosen: Sql): Sql => sql`
  chosen as materialized (${chosen}),
  chosen_ids as materialized (select array(select entry_id from chosen) as ids),
  entry_read as materialized (
    select id, kind, reverses, job_id, tx_hash from journal_entries
    where id = any((select ids from chosen_ids)::text[])),
  posting_read as materialized (
    select p.entry_id, p.account, p.amount_micro, ${isTreasury(sql`p.account`)} as is_fee from journal_postings p
    where p.entry_id = any((select ids from chosen_ids)::text[])
      and (p.account in (select account from searched) or ${isTreasury(sql`p.account`)})),
  fee_read as materialized (
    select entry_id, sum(amount_micro) as amount_micro from posting_read where is_fee group by entry_id),
  job_read as materialized (
    select id, title, service_id from jobs
    where id = any(array(select job_id from entry_read where job_id is not null))),
  claim_read as materialized (
    select c.entry_id, logged.id, logged.tx_key, logged.named_log_index, logged.verification
    from journal_postings c join x402_transactions logged on logged.id = ${loggedByClaim(sql`c`)}
    where c.entry_id = any(array(select id from entry_read where kind = 'x402.claimed'))),
  detailed as materialized (
    select chosen.account, chosen.at, chosen.seq, e.id, e.kind, e.reverses, e.job_id, e.tx_hash, p.amount_micro,
      coalesce(fee.amount_micro, 0) as fee_micro, job.title, job.service_id, claim.id as claim_id, claim.tx_key,
      claim.named_log_index, claim.verification
    from chosen full join entry_read e on e.id = chosen.entry_id
      full join posting_read p on p.entry_id = chosen.entry_id and p.account = chosen.account
      full join fee_read fee on fee.entry_id = chosen.entry_id
      full join job_read job on job.id = e.job_id
      full join claim_read claim on claim.entry_id = chosen.entry_id)`

/** A row of `detailed` split into `p`, `job` and `claim`, the names that `earningColumns` and `isIncome` use. */
const usualAliases: Sql = sql`
  cross join lateral (select e.account, e.amount_micro) p
  cross join lateral (select e.title, e.service_id) job
  cross join lateral (select e.claim_id as id, e.tx_key, e.named_log_index, e.verification) claim`
