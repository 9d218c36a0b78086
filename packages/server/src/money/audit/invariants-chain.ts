import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { ChainEvent, ChainReader } from '../../ports/chain/port.ts'
import { encodeEvent } from '../following/event-codec.ts'
import { findFollowedSince, listFewFollowed } from '../following/watched-wallets.ts'
import { createRoles } from '../roles/roles.ts'
import { type BrokenRow, bookedBlock, type Invariant, type InvariantDeps } from './invariant.ts'
import { COMPARED_BLOCKS, intents, SPAN_BLOCKS, spans, whole } from './subjects.ts'

/** For so few wallets the node chooses their transfers; for more, all transfers of the token are read. */
const FEW_WALLETS = 1_000

/** The block of the books while the chain still has it; during a reorganisation there is nothing to compare with. */
async function comparableBlock({ db, chain }: InvariantDeps): Promise<bigint | undefined> {
  const booked = await bookedBlock(db, chain.facts.chainId)
  if (booked === undefined) return undefined
  const standing = await chain.reader.getBlock(booked.number)
  return standing?.hash === booked.hash ? booked.number : undefined
}

export const chainChecks: Invariant[] = [
  {
    name: 'M1',
    message: 'The escrow holds and owes what the books say',
    subject: whole,
    async check({ db, chain }) {
      const block = await comparableBlock({ db, chain })
      if (block === undefined) return undefined
      // One statement sees one moment: the sums and the block that they belong to.
      const books = await db.one<{ number: bigint; heldMicro: bigint; owedMicro: bigint }>(sql`
        select c.block_number as number, ${sumOfKind('escrow:')} as "heldMicro", ${sumOfKind('owed:')} as "owedMicro"
        from chain_cursors c where c.chain_id = ${chain.facts.chainId}`)
      const onChain = await chain.reader.getEscrowTotals(books.number)
      const agrees = onChain.heldMicro === books.heldMicro && onChain.owedMicro === books.owedMicro
      return agrees ? [] : [{ key: 'whole', books, onChain }]
    },
  },
  {
    name: 'M1',
    message: 'The roles in the books are those of the escrow',
    subject: whole,
    async check({ db, chain }) {
      const block = await comparableBlock({ db, chain })
      if (block === undefined) return undefined
      const onChain = await chain.reader.getEscrowRoles(block)
      const roles = createRoles(db, chain)
      const next = { blockNumber: block + 1n, logIndex: 0 }
      const rows: BrokenRow[] = []
      for (const role of ['operator', 'arbiter', 'treasury'] as const) {
        const booked = await roles.holderOf(role, next)
        if (booked.toLowerCase() !== onChain[role].toLowerCase())
          rows.push({ key: role, booked, onChain: onChain[role] })
      }
      return rows
    },
  },
  {
    name: 'M1',
    message: 'The events in the books are those of the chain',
    subject: spans,
    async check(deps, keys) {
      const toBlock = await comparableBlock(deps)
      if (toBlock === undefined) return undefined
      const rows: BrokenRow[] = []
      for (const key of keys) rows.push(...(await findMissing(deps, key, toBlock)))
      return rows
    },
  },
  {
    name: 'M1',
    message: 'Every transaction that the books call mined stands on the chain, in that block',
    subject: intents,
    async check({ db, chain }, keys) {
      const toBlock = await comparableBlock({ db, chain })
      if (toBlock === undefined) return undefined
      const fromBlock = toBlock > COMPARED_BLOCKS ? toBlock - COMPARED_BLOCKS : 0n
      const ended = await db.rows<{
        key: string
        txHash: `0x${string}`
        blockHash: string
        status: string
      }>(sql`
        select id as key, tx_hash, block_hash, status
        -- The offset keeps the planner from reading all intents of these blocks, of which there can be a great many.
        from (select * from intents where id = any(${keys}) offset 0) known
        where block_number between ${fromBlock} and ${toBlock}`)
      const outcomes = await chain.reader.getOutcomes(ended.map(({ txHash }) => txHash))
      return ended.flatMap((intent, index) => {
        const outcome = outcomes[index] ?? { status: 'unknown' as const }
        const isThere = 'blockHash' in outcome && outcome.blockHash === intent.blockHash
        const isRight = intent.status === 'REJECTED' || outcome.status === 'success'
        return isThere && isRight ? [] : [{ ...intent, onChain: outcome.status }]
      })
    },
  },
]

/** What all accounts of a kind hold: the sum that is kept, and what is not folded into it yet. */
const sumOfKind = (prefix: string) => sql`
  coalesce((select b.amount_micro from account_balances b where b.account = ${prefix}), 0)
    + coalesce((select sum(u.amount_micro) from unfolded_postings u where starts_with(u.account, ${prefix})), 0)`

/** The events of a span on the chain, as far as it is booked, that the books do not have. */
async function findMissing({ db, chain }: InvariantDeps, key: string, booked: bigint): Promise<BrokenRow[]> {
  const fromBlock = BigInt(key) * SPAN_BLOCKS
  const last = fromBlock + SPAN_BLOCKS - 1n
  const range = { fromBlock, toBlock: last < booked ? last : booked }
  if (range.toBlock < fromBlock) return []
  const [contracts, wallets] = await Promise.all([
    chain.reader.getEvents(range),
    readFollowed(db, chain.reader, range),
  ])
  const known = await db.rows<{ place: string }>(sql`
    select tx_hash || ':' || log_index || ':' || block_hash as place from chain_events
    where chain_id = ${chain.facts.chainId} and is_canonical
      and block_number between ${range.fromBlock} and ${range.toBlock}`)
  const places = new Set(known.map(({ place }) => place))
  return [...contracts, ...wallets]
    .map((event) => ({ key, place: placeNameOf(event), missing: JSON.parse(encodeEvent(event)) }))
    .filter(({ place }) => !places.has(place))
}

/** The token's events that the books have to know: those since the block from which on their wallet is followed. */
async function readFollowed(
  db: Queryable,
  reader: Pick<ChainReader, 'getUsdcEvents'>,
  range: { fromBlock: bigint; toBlock: bigint },
): Promise<ChainEvent[]> {
  const wallets = (await listFewFollowed(db, FEW_WALLETS)) ?? 'all'
  const events = await reader.getUsdcEvents({ wallets, ...range })
  const followedSince = await findFollowedSince(db, events.flatMap(walletsOf))
  return events.filter((event) =>
    walletsOf(event).some((address) => {
      const sinceBlock = followedSince.get(address.toLowerCase())
      return sinceBlock !== undefined && sinceBlock < event.blockNumber
    }),
  )
}

function walletsOf(event: ChainEvent): string[] {
  if (event.name === 'AuthorizationUsed') return [event.authorizer]
  return event.name === 'UsdcTransferred' ? [event.from, event.to] : []
}

const placeNameOf = (event: ChainEvent): string =>
  `${event.transactionHash}:${event.logIndex}:${event.blockHash}`
