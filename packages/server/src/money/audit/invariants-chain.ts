import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { ChainEvent, ChainReader } from '../../ports/chain/port.ts'
import { encodeEvent } from '../following/event-codec.ts'
import { listFollowedSince } from '../following/watched-wallets.ts'
import { createRoles } from '../roles/roles.ts'
import { bookedBlock, type Invariant, type InvariantDeps } from './invariant.ts'

/** So many of the newest blocks are compared with the chain, event by event. */
const COMPARED_BLOCKS = 2_000n

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
    async check({ db, chain }) {
      const block = await comparableBlock({ db, chain })
      if (block === undefined) return []
      // One statement sees one moment: the sums and the block that they belong to.
      const books = await db.one<{ number: bigint; heldMicro: bigint; owedMicro: bigint }>(sql`
        select c.block_number as number,
          coalesce(sum(p.amount_micro) filter (where p.account like 'escrow:%'), 0) as "heldMicro",
          coalesce(sum(p.amount_micro) filter (where p.account like 'owed:%'), 0) as "owedMicro"
        from chain_cursors c left join journal_postings p on p.account like 'escrow:%' or p.account like 'owed:%'
        where c.chain_id = ${chain.facts.chainId} group by c.block_number`)
      const onChain = await chain.reader.getEscrowTotals(books.number)
      const agrees = onChain.heldMicro === books.heldMicro && onChain.owedMicro === books.owedMicro
      return agrees ? [] : [{ books, onChain }]
    },
  },
  {
    name: 'M1',
    message: 'The roles in the books are those of the escrow',
    async check({ db, chain }) {
      const block = await comparableBlock({ db, chain })
      if (block === undefined) return []
      const onChain = await chain.reader.getEscrowRoles(block)
      const roles = createRoles(db, chain)
      const next = { blockNumber: block + 1n, logIndex: 0 }
      const rows: Record<string, unknown>[] = []
      for (const role of ['operator', 'arbiter', 'treasury'] as const) {
        const booked = await roles.holderOf(role, next)
        if (booked.toLowerCase() !== onChain[role].toLowerCase())
          rows.push({ role, booked, onChain: onChain[role] })
      }
      return rows
    },
  },
  {
    name: 'M1',
    message: 'The events in the books are those of the chain',
    async check({ db, chain }) {
      const toBlock = await comparableBlock({ db, chain })
      if (toBlock === undefined) return []
      const fromBlock = toBlock > COMPARED_BLOCKS ? toBlock - COMPARED_BLOCKS : 0n
      const [contracts, wallets] = await Promise.all([
        chain.reader.getEvents({ fromBlock, toBlock }),
        readFollowed(db, chain.reader, { fromBlock, toBlock }),
      ])
      const onChain = [...contracts, ...wallets]
      const booked = await db.rows<{
        txHash: string
        logIndex: number
        blockHash: string
        args: unknown
      }>(sql`
        select tx_hash, log_index, block_hash, args from chain_events
        where chain_id = ${chain.facts.chainId} and is_canonical and block_number between ${fromBlock} and ${toBlock}`)
      const wanted = new Map(onChain.map((event) => [placeNameOf(event), event]))
      const known = new Set(booked.map((row) => `${row.txHash}:${row.logIndex}:${row.blockHash}`))
      const missing = [...wanted].filter(([place]) => !known.has(place))
      return missing.map(([place, event]) => ({ place, missing: JSON.parse(encodeEvent(event)) }))
    },
  },
  {
    name: 'M1',
    message: 'Every transaction that the books call mined stands on the chain, in that block',
    async check({ db, chain }) {
      const toBlock = await comparableBlock({ db, chain })
      if (toBlock === undefined) return []
      const fromBlock = toBlock > COMPARED_BLOCKS ? toBlock - COMPARED_BLOCKS : 0n
      const ended = await db.rows<{
        id: string
        txHash: `0x${string}`
        blockHash: string
        status: string
      }>(sql`
        select id, tx_hash, block_hash, status from intents
        where block_number between ${fromBlock} and ${toBlock}`)
      const rows: Record<string, unknown>[] = []
      for (const intent of ended) {
        const outcome = await chain.reader.getOutcome(intent.txHash)
        const isThere = 'blockHash' in outcome && outcome.blockHash === intent.blockHash
        const isRight = intent.status === 'REJECTED' || outcome.status === 'success'
        if (!isThere || !isRight) rows.push({ ...intent, onChain: outcome.status })
      }
      return rows
    },
  },
]

/** The token's events that the books have to know: those since the block from which on their wallet is followed. */
async function readFollowed(
  db: Queryable,
  reader: Pick<ChainReader, 'getUsdcEvents'>,
  range: { fromBlock: bigint; toBlock: bigint },
): Promise<ChainEvent[]> {
  const followedSince = await listFollowedSince(db)
  const events = await reader.getUsdcEvents({ wallets: [...followedSince.keys()], ...range })
  const isFollowed = (address: string, { blockNumber }: ChainEvent): boolean => {
    const sinceBlock = followedSince.get(address.toLowerCase())
    return sinceBlock !== undefined && sinceBlock < blockNumber
  }
  return events.filter((event) => {
    if (event.name === 'AuthorizationUsed') return isFollowed(event.authorizer, event)
    return event.name === 'UsdcTransferred' && (isFollowed(event.from, event) || isFollowed(event.to, event))
  })
}

const placeNameOf = (event: ChainEvent): string =>
  `${event.transactionHash}:${event.logIndex}:${event.blockHash}`
