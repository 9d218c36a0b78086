import type { BlockHeader, ChainEvent, ChainReader } from '../../ports/chain/port.ts'
import type { MoneySettings } from '../money-deps.ts'
import type { Cursor } from './event-store.ts'

/** So many blocks are proven in one go. */
const PROVEN_AT_ONCE = 20

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
  reader: Pick<ChainReader, 'getBlock' | 'getBlockEvents' | 'getEvents' | 'getUsdcEvents'>
  settings: Pick<MoneySettings, 'maxReorgDepth' | 'blockRange'>
  listFollowed: (version: bigint) => Promise<ReadonlySet<string>>
}

/**
 * Reads what happened in blocks. A node may leave logs out: one that lags behind the others says that there are none.
 * Near the head, where nodes differ, every block is therefore read from its receipts, which its header commits to, and
 * every header must follow the one before it. The long past is read in ranges, until two responses in a row are the same.
 */
export function createBlockReading({ reader, settings, listFollowed }: BlockReadingDeps): BlockReading {
  const depth = BigInt(settings.maxReorgDepth)

  const readProven = async (cursor: Cursor, head: BlockHeader): Promise<ReadBlocks | undefined> => {
    const count = Math.min(PROVEN_AT_ONCE, Number(head.number - cursor.blockNumber))
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
    const wallets = await listFollowed(cursor.watchVersion)
    const events = await reader.getBlockEvents({ headers, wallets })
    return events && { tip, headers, events }
  }

  const readRange = async (cursor: Cursor, head: BlockHeader): Promise<ReadBlocks | undefined> => {
    const behind = Number(head.number - depth - cursor.blockNumber)
    const tip = await reader.getBlock(cursor.blockNumber + BigInt(Math.min(settings.blockRange, behind)))
    if (tip === undefined) return undefined
    const range = { fromBlock: cursor.blockNumber + 1n, toBlock: tip.number }
    const wallets = [...(await listFollowed(cursor.watchVersion))]
    const ask = async () => {
      const found = await Promise.all([reader.getEvents(range), reader.getUsdcEvents({ ...range, wallets })])
      return found.flat()
    }
    const events = await askTwice(ask)
    return events && { tip, headers: [tip], events }
  }

  return {
    async readOn(cursor) {
      const head = await reader.getBlock('latest')
      if (head === undefined || head.number < cursor.blockNumber) return undefined
      // A range ends where forks may begin, so that a fork never takes back more than the depth that is allowed.
      return head.number - cursor.blockNumber > depth ? readRange(cursor, head) : readProven(cursor, head)
    },
  }
}

/** What cannot be proven is believed when two responses in a row are the same; undefined when they are not. */
export async function askTwice(ask: () => Promise<ChainEvent[]>): Promise<ChainEvent[] | undefined> {
  const events = await ask()
  return placesOf(events) === placesOf(await ask()) ? events : undefined
}

const isChain = (parentHash: string, headers: readonly BlockHeader[]): boolean =>
  headers.every((header, index) => header.parentHash === (headers[index - 1]?.hash ?? parentHash))

const placesOf = (events: readonly ChainEvent[]): string =>
  events
    .map(({ blockHash, logIndex }) => `${blockHash}:${logIndex}`)
    .toSorted()
    .join()
