import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { BlockHeader, ChainEvent } from '../../ports/chain/port.ts'
import { type Account, outsideAccount, spenderAccount, treasuryAccount } from '../books/accounts.ts'
import { OPENING_BALANCE, postEntry } from '../books/journal.ts'
import type { MoneyDeps } from '../money-deps.ts'
import { readHeadersOf } from './block-headers.ts'
import { type Cursor, lockCursor, readCursor, storeBlocks } from './cursor-store.ts'
import type { Recorder } from './recorder.ts'
import { listNewWallets, markFollowed, type WatchedWallet, watchWallets } from './watched-wallets.ts'

/** So many new wallets are taken up together. */
const BATCH = 500

export interface Follower {
  /** Takes up wallets that are new; returns whether there may be more. */
  takeUp(): Promise<boolean>
}

/** What the chain says about new wallets: what they held at a block that no fork takes back, and what moved since. */
interface Past {
  since: BlockHeader
  balancesMicro: bigint[]
  events: ChainEvent[]
  headers: Map<bigint, BlockHeader>
}

/**
 * Lets the indexer follow wallets that it has not read for so far. A new wallet is caught up to the block where the
 * indexer stands, in the same transaction that adds it to those that are read: no block is missed in between.
 */
export function createFollower(
  { db, chain, settings }: Pick<MoneyDeps, 'db' | 'chain' | 'settings'>,
  recorder: Pick<Recorder, 'record'>,
): Follower {
  const { reader } = chain
  const { chainId, contracts, spender } = chain.facts
  const depth = BigInt(settings.maxReorgDepth)
  let knowsOwn = false

  const watchOwn = async (): Promise<void> => {
    if (knowsOwn) return
    await watchWallets(db, [
      { address: contracts.treasury, account: treasuryAccount() },
      { address: spender, account: spenderAccount() },
    ])
    knowsOwn = true
  }

  const look = async (cursor: Cursor, wallets: string[]): Promise<Past | undefined> => {
    const head = await reader.getBlock('latest')
    // While the indexer is far behind the node may no longer know what wallets held back then.
    if (head === undefined || head.number - cursor.blockNumber > depth) return undefined
    let firm = cursor.blockNumber - depth
    if (firm < settings.startBlock) firm = settings.startBlock
    const since = await reader.getBlock(firm)
    if (since === undefined) return undefined
    const range = { fromBlock: since.number + 1n, toBlock: cursor.blockNumber }
    const [balancesMicro, named, balancesNowMicro] = await Promise.all([
      reader.getUsdcBalances({ wallets, blockNumber: since.number }),
      range.fromBlock <= range.toBlock ? reader.getUsdcEvents({ wallets, ...range }) : [],
      reader.getUsdcBalances({ wallets, blockNumber: cursor.blockNumber }),
    ])
    const headers = await readHeadersOf(reader, named, [since])
    if (headers === undefined) return undefined
    // The list says which blocks to look at; what happened there is proven.
    const events = await reader.getBlockEvents({
      headers: [...headers.values()].filter(({ number }) => number > since.number),
      wallets: new Set(wallets),
    })
    const moves = events?.filter(({ name }) => name === 'UsdcTransferred' || name === 'AuthorizationUsed')
    // A node may leave blocks out. Then the transfers do not explain what the wallets hold now, and are requested again.
    if (!moves || !doExplain(moves, wallets, { before: balancesMicro, after: balancesNowMicro }))
      return undefined
    const cursorNow = await reader.getBlock(cursor.blockNumber)
    return cursorNow?.hash === cursor.blockHash ? { since, balancesMicro, events: moves, headers } : undefined
  }

  /** What the books do not know of what wallets held. Nearly always nothing: most are as new as their agents. */
  const bookOpenings = async (
    tx: Transaction,
    wallets: WatchedWallet[],
    { since, balancesMicro }: Pick<Past, 'since' | 'balancesMicro'>,
  ): Promise<void> => {
    const heldMicro = new Map(wallets.map(({ account }) => [account, 0n]))
    for (const [index, { account }] of wallets.entries()) {
      heldMicro.set(account, (heldMicro.get(account) ?? 0n) + (balancesMicro[index] ?? 0n))
    }
    const booked = await tx.rows<{ account: Account; amountMicro: bigint }>(sql`
      select p.account, sum(p.amount_micro) as "amountMicro"
      from journal_postings p join journal_entries e on e.id = p.entry_id
      where p.account = any(${[...heldMicro.keys()]}::text[])
        and (e.block_number is null or e.block_number <= ${since.number})
      group by p.account`)
    const bookedMicro = new Map(booked.map(({ account, amountMicro }) => [account, amountMicro]))
    for (const [account, held] of heldMicro) {
      const amountMicro = held - (bookedMicro.get(account) ?? 0n)
      if (amountMicro === 0n) continue
      await postEntry(tx, {
        kind: OPENING_BALANCE,
        at: new Date(since.timestamp * 1000),
        postings: [
          { account: outsideAccount(), amountMicro: -amountMicro },
          { account, amountMicro },
        ],
      })
    }
  }

  return {
    async takeUp() {
      await watchOwn()
      const wallets = await listNewWallets(db, BATCH)
      if (wallets.length === 0) return false
      const cursor = await readCursor(db, chainId)
      if (cursor === undefined || cursor.haltedReason !== null) return false
      const addresses = wallets.map(({ address }) => address)
      const past = await look(cursor, addresses)
      if (past === undefined) return false
      const { since, events, headers } = past
      const timeOf = (blockNumber: bigint): number => headers.get(blockNumber)?.timestamp ?? 0
      return db.transaction(async (tx) => {
        if (!(await lockCursor(tx, chainId, cursor))) return true
        await storeBlocks(tx, chainId, [...headers.values()])
        await bookOpenings(tx, wallets, past)
        await recorder.record(tx, { events, timeOf })
        await markFollowed(tx, { chainId, addresses, sinceBlock: since.number })
        return true
      })
    },
  }
}

/** Whether these transfers lead from what each wallet held before to what it holds after. */
function doExplain(
  events: readonly ChainEvent[],
  wallets: readonly string[],
  { before, after }: { before: readonly bigint[]; after: readonly bigint[] },
): boolean {
  const heldMicro = new Map(wallets.map((wallet, index) => [wallet, before[index] ?? 0n]))
  const add = (address: string, amountMicro: bigint): void => {
    const held = heldMicro.get(address.toLowerCase())
    if (held !== undefined) heldMicro.set(address.toLowerCase(), held + amountMicro)
  }
  for (const event of events) {
    if (event.name !== 'UsdcTransferred') continue
    add(event.from, -event.amountMicro)
    add(event.to, event.amountMicro)
  }
  return wallets.every((wallet, index) => heldMicro.get(wallet) === after[index])
}
