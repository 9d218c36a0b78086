import type { BlockHeader, ChainEvent, ChainReader } from '../../ports/chain/port.ts'
import type { Cursor } from './cursor-store.ts'
import type { ReadWallets } from './traced-wallets.ts'

/** So many blocks are read in one go. */
const BLOCKS_AT_ONCE = 100

export interface ReadBlocks {
  tip: BlockHeader
  headers: BlockHeader[]
  events: ChainEvent[]
}

export interface BlockReading {
  /** The blocks after the cursor, up to a bound; undefined when the node's responses do not fit together yet. */
  readOn(cursor: Cursor): Promise<ReadBlocks | undefined>
}

interface BlockReadingDeps {
  reader: Pick<ChainReader, 'getBlock' | 'getBlockEvents'>
  readWallets: (version: bigint) => Promise<ReadWallets>
}

/**
 * Reads what happened in blocks. A node may leave logs out: one that lags behind the others says that there are none. So
 * nothing is taken from a list of logs. Every header has its own hash and follows the one before it, from where the books
 * stand; the header's bloom filter says that there is nothing of ours, or its receipts root proves what there is.
 */
export function createBlockReading({ reader, readWallets }: BlockReadingDeps): BlockReading {
  return {
    async readOn(cursor) {
      const head = await reader.getBlock('latest')
      if (head === undefined || head.number < cursor.blockNumber) return undefined
      const count = Math.min(BLOCKS_AT_ONCE, Number(head.number - cursor.blockNumber))
      const found = await Promise.all(
        Array.from({ length: count }, (_, index) => {
          const number = cursor.blockNumber + BigInt(index) + 1n
          return number === head.number ? head : reader.getBlock(number)
        }),
      )
      const headers = found.filter((header) => header !== undefined)
      if (headers.length < count || !isChain(cursor.blockHash, headers)) return undefined
      const tip = headers.at(-1)
      if (tip === undefined) return { tip: head, headers: [head], events: [] }
      const wallets = await readWallets(cursor.watchVersion)
      const events = await reader.getBlockEvents({ headers, wallets: wallets.all })
      return events && { tip, headers, events: ofBooks(events, wallets) }
    },
  }
}

/** Of wallets that are only traced, transfers are all that is wanted. */
const ofBooks = (events: readonly ChainEvent[], { watched }: ReadWallets): ChainEvent[] =>
  events.filter((event) => event.name !== 'AuthorizationUsed' || watched.has(event.authorizer.toLowerCase()))

const isChain = (parentHash: string, headers: readonly BlockHeader[]): boolean =>
  headers.every((header, index) => header.parentHash === (headers[index - 1]?.hash ?? parentHash))
