import { outsideAccount, walletAccount } from '../../../money/books/accounts.ts'
import { hasWords } from '../../../platform/db/search-words.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { anchorsOf, isPartOfHash, isWholeHash, isWholeWallet } from './anchors.ts'

/**
 * The entries that a search finds, as common table expressions, before anything else is read about them. `searched` has the
 * ranges, each with its agent and whether the agent's name alone contains the words; `found` has the entries that contain
 * them elsewhere. Each table is read in one scan, and only what an index lists by agent, owner or entry: looking up entry
 * after entry takes ten times as long.
 */
export function finding(ranges: Sql, words: readonly string[]): Sql {
  const anchors = anchorsOf(words)
  const [word = ''] = anchors
  const places = isPartOfHash(word) ? [inJobs, inClaims, inTransactions, inPayers] : [inJobs, inClaims]
  const found = places.map((place) => place(anchors))
  return sql`
    searched as materialized (
      select range.*, agents.id as agent_id, agents.owner_id, agents.name,
        ${hasWords(anchors, { names: sql`concat_ws(' ', agents.name)`, identifiers: [sql`null`] })} as is_named
      from (${ranges}) range
      left join agents on lower(agents.wallet_address) = substring(range.account from '0x[0-9a-f]{40}$')),
    agent as materialized (
      select distinct agent_id as id, owner_id, name from searched where not is_named and agent_id is not null),
    looked_at as materialized (
      select array(
        select known.entry_id from searched range join earning_entries known on ${isInRange}
        where not range.is_named) as ids),
    found as materialized (${sql.join(found, sql` union all `)})`
}

export const isInRange: Sql = sql`
  known.account = range.account and known.at >= range.since and known.at < range.until`

/** Not a join: the planner expects few found entries, and would walk through all of them for each entry. */
export const isFound: Sql = sql`(range.is_named or known.entry_id in (select id from found))`

/** Titles, clients and their wallets are read from the index by agent alone. */
const inJobs = (words: readonly string[]): Sql => sql`
  select e.id from journal_entries e where e.job_id = any(array(
    select job.id from agent join jobs job on job.agent_id = agent.id
    left join owners client on client.id = job.client_id
    where ${hasWords(words, {
      names: sql`concat_ws(' ', job.title, agent.name, client.entity_name)`,
      identifiers: [sql`job.id`, sql`job.client_wallet`],
    })}))`

const inClaims = (words: readonly string[]): Sql => sql`
  select c.entry_id from journal_postings c where c.account = any(array(
    select ${outsideAccount('claim:')} || logged.id
    from x402_transactions logged join agent on agent.id = logged.agent_id
    where logged.payee_owner_id = any(array(select distinct owner_id from agent))
      and ${hasWords(words, { names: sql`concat_ws(' ', agent.name)`, identifiers: [sql`logged.tx_key`] })}))`

const inTransactions = ([word = '']: readonly string[]): Sql =>
  isWholeHash(word)
    ? sql`select e.id from journal_entries e where e.tx_hash = ${word.toLowerCase()}`
    : sql`
      select e.id from journal_entries e
      where e.id = any((select ids from looked_at)::text[]) and e.tx_hash like ${`%${word.toLowerCase()}%`}
        and not ${isWholeWallet(word)}`

/** The index of an entry's postings has the accounts but not the amounts, so amounts are compared last. */
const inPayers = ([word = '']: readonly string[]): Sql => sql`
  select payer.entry_id from (
    select entry_id, account from journal_postings
    where entry_id = any((select ids from looked_at)::text[]) and starts_with(account, ${walletAccount('')})
      and account like ${`%${word.toLowerCase()}%`} and not ${isWholeHash(word)} offset 0) named
  join journal_postings payer on payer.entry_id = named.entry_id and payer.account = named.account
  where payer.amount_micro < 0`
