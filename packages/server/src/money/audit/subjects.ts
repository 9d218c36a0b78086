import { sql } from '../../platform/db/sql.ts'
import { bookedBlock, type Subject } from './invariant.ts'
import { keysBy, readKeys, rowsOf } from './keys.ts'

/** So many of the newest blocks are compared with the chain, event by event, in spans of this many. */
export const COMPARED_BLOCKS = 2_000n
export const SPAN_BLOCKS = 100n

/** Rules about one thing of which there is only one. Their rows have keys of their own, so that each is alerted of. */
export const whole: Subject = {
  name: 'whole',
  isAlwaysDue: true,
  list: async (_deps, { after }) => (after === '' ? ['whole'] : []),
}

/** Journal entries by their id. An entry can also break the one that it takes back. */
export const entries: Subject = {
  name: 'entry',
  list: rowsOf('journal_entries', 'id'),
  follows: {
    entry: keysBy(
      (keys) =>
        sql`select reverses as key from journal_entries where id = any(${keys}) and reverses is not null`,
    ),
    intent: keysBy((keys) => sql`select id as key from journal_entries where intent_id = any(${keys})`),
    withdrawal: keysBy(
      (keys) => sql`
        select e.id as key from withdrawals w join journal_entries e on e.intent_id = w.intent_id
        where w.id = any(${keys})`,
    ),
  },
}

/** Transactions of the chain, by their hash, that events or entries name. */
export const transactions: Subject = {
  name: 'transaction',
  list: ({ db, chain }, { after, limit }) =>
    readKeys(
      db,
      sql`
      select key from (
        (select distinct tx_hash as key from chain_events
          where chain_id = ${chain.facts.chainId} and tx_hash > ${after} order by 1 limit ${limit})
        union
        (select distinct tx_hash from journal_entries where tx_hash > ${after} order by 1 limit ${limit})) found
      order by key limit ${limit}`,
    ),
  follows: {
    entry: keysBy(
      (keys) =>
        sql`select distinct tx_hash as key from journal_entries where id = any(${keys}) and tx_hash is not null`,
    ),
    intent: keysBy(
      (keys) => sql`select distinct hash as key from chain_transaction_hashes where intent_id = any(${keys})`,
    ),
  },
}

/** Numbers of blocks that entries stand in. */
export const blocks: Subject = {
  name: 'block',
  list: ({ db, chain }, { after, limit }) =>
    readKeys(
      db,
      sql`
      select number::text as key from (
        select distinct block_number as number from journal_entries
        where chain_id = ${chain.facts.chainId} and block_number > ${after === '' ? -1n : BigInt(after)}
        order by 1 limit ${limit}) found
      order by number`,
    ),
  follows: {
    entry: keysBy(
      (keys) => sql`
        select distinct block_number::text as key from journal_entries
        where id = any(${keys}) and block_number is not null`,
    ),
  },
}

/** Spans of blocks, by their number divided by `SPAN_BLOCKS`. Only the newest are compared. */
export const spans: Subject = {
  name: 'span',
  async list({ db, chain }, { after, limit }) {
    const booked = await bookedBlock(db, chain.facts.chainId)
    if (booked === undefined) return []
    const oldest = booked.number > COMPARED_BLOCKS ? (booked.number - COMPARED_BLOCKS) / SPAN_BLOCKS : 0n
    const first = after === '' ? oldest : BigInt(after) + 1n
    const count = Number(booked.number / SPAN_BLOCKS - first) + 1
    return Array.from(
      { length: Math.max(0, Math.min(limit, count)) },
      (_, index) => `${first + BigInt(index)}`,
    )
  },
  follows: {
    transaction: keysBy(
      (keys) => sql`
        select distinct (v.block_number / ${SPAN_BLOCKS}::bigint)::text as key from chain_cursors c
        join chain_events v on v.chain_id = c.chain_id and v.tx_hash = any(${keys})
        where v.block_number >= c.block_number - ${COMPARED_BLOCKS}::bigint`,
    ),
  },
}

/** Jobs of the escrow, by their key in it. */
export const escrows: Subject = {
  name: 'escrow',
  list: ({ db }, { after, limit }) =>
    readKeys(
      db,
      sql`
      select distinct subject as key from chain_events
      where subject > ${after} and name in ('JobFunded', 'JobClosed') and is_canonical order by 1 limit ${limit}`,
    ),
  follows: {
    transaction: keysBy(
      (keys) => sql`
        select distinct v.subject as key from chain_cursors c
        join chain_events v on v.chain_id = c.chain_id and v.tx_hash = any(${keys})
        where v.name in ('JobFunded', 'JobClosed')`,
    ),
    account: async (_db, keys) =>
      keys.filter((key) => key.startsWith('escrow:')).map((key) => key.slice('escrow:'.length)),
  },
}

/** Accounts of the journal, of the wallets that are watched, and of those for whom the escrow holds something. */
export const accounts: Subject = {
  name: 'account',
  list: ({ db }, { after, limit }) =>
    readKeys(
      db,
      sql`
      with recursive posted as (
        (select account, 1 as place from journal_postings where account > ${after} order by account limit 1)
        union all
        select (select p.account from journal_postings p where p.account > posted.account order by p.account limit 1),
          place + 1
        from posted where posted.account is not null and place < ${limit}::int
      )
      select key from (
        (select account as key from posted where account is not null)
        union
        (select account from account_balances where account > ${after} order by 1 limit ${limit})
        union
        (select distinct account from watched_wallets where account > ${after} order by 1 limit ${limit})
        union
        (select 'owed:' || recipient from held_payments where 'owed:' || recipient > ${after} order by 1 limit ${limit})) found
      order by key limit ${limit}`,
    ),
}

/** Decisions to move money. */
export const intents: Subject = {
  name: 'intent',
  list: rowsOf('intents', 'id'),
  follows: {
    entry: keysBy(
      (keys) =>
        sql`select distinct intent_id as key from journal_entries where id = any(${keys}) and intent_id is not null`,
    ),
  },
}
