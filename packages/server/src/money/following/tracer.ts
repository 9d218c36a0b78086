import type { ChainEvent } from '../../ports/chain/port.ts'
import type { MoneyDeps } from '../money-deps.ts'
import { readHeadersOf } from './block-headers.ts'
import { type Cursor, lockCursor, readCursor, storeBlocks } from './cursor-store.ts'
import type { Recorder } from './recorder.ts'
import { listNewTraced, markTraced } from './traced-wallets.ts'
import { listKnownAmong } from './watched-wallets.ts'

/** So many new wallets are taken up together. */
const BATCH = 100
/** So many ranges of blocks are looked at before the day a wallet is taken up: on Base about half a day. */
const RANGES_BACK = 10n

export interface Tracer {
  /** Takes up wallets that are new; returns whether there may be more. */
  takeUp(): Promise<boolean>
}

/**
 * Lets the indexer read the transfers of buyers and sellers, from some time before they became one: who funded a wallet
 * usually did so before it paid. Nothing is booked for them, so a gap costs no money.
 */
export function createTracer(
  { db, chain, settings }: Pick<MoneyDeps, 'db' | 'chain' | 'settings'>,
  recorder: Pick<Recorder, 'record'>,
): Tracer {
  const { reader } = chain
  const { chainId } = chain.facts
  const range = BigInt(settings.blockRange)

  const readPast = async (cursor: Cursor, wallets: string[]): Promise<ChainEvent[]> => {
    const found: ChainEvent[] = []
    let fromBlock = cursor.blockNumber - range * RANGES_BACK
    if (fromBlock < settings.startBlock) fromBlock = settings.startBlock
    while (fromBlock <= cursor.blockNumber) {
      let toBlock = fromBlock + range - 1n
      if (toBlock > cursor.blockNumber) toBlock = cursor.blockNumber
      found.push(...(await reader.getUsdcEvents({ wallets, fromBlock, toBlock })))
      fromBlock = toBlock + 1n
    }
    return found
  }

  /** What moved from or to a watched wallet is in the books, or in the opening balance. */
  const withoutBooked = async (events: ChainEvent[]): Promise<ChainEvent[]> => {
    const transfers = events.filter((event) => event.name === 'UsdcTransferred')
    const watched = await listKnownAmong(
      db,
      transfers.flatMap(({ from, to }) => [from, to]),
    )
    const isWatched = (address: string): boolean => watched.has(address.toLowerCase())
    return transfers.filter(({ from, to }) => !isWatched(from) && !isWatched(to))
  }

  return {
    async takeUp() {
      const wallets = await listNewTraced(db, BATCH)
      if (wallets.length === 0) return false
      const cursor = await readCursor(db, chainId)
      if (cursor === undefined || cursor.haltedReason !== null) return false
      const headers = await readHeadersOf(reader, await readPast(cursor, wallets), [])
      if (headers === undefined) return false
      // The list says in which blocks to look, and their receipts what happened there.
      const proven = await reader.getBlockEvents({
        headers: [...headers.values()],
        wallets: new Set(wallets),
      })
      if (proven === undefined) return false
      const events = await withoutBooked(proven)
      const cursorNow = await reader.getBlock(cursor.blockNumber)
      if (cursorNow?.hash !== cursor.blockHash) return false
      return db.transaction(async (tx) => {
        if (!(await lockCursor(tx, chainId, cursor))) return true
        await storeBlocks(tx, chainId, [...headers.values()])
        await recorder.record(tx, {
          events,
          timeOf: (blockNumber) => headers.get(blockNumber)?.timestamp ?? 0,
        })
        await markTraced(tx, { chainId, addresses: wallets, sinceBlock: cursor.blockNumber })
        return true
      })
    },
  }
}
