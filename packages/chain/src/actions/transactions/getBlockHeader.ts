import { BlockNotFoundError, type Client, type Hex } from 'viem'
import { getBlock } from 'viem/actions'

export type BlockHeader = { number: bigint; hash: Hex; parentHash: Hex; timestamp: number }

/** The header of a block by number or by tag; undefined when the chain has no such block (yet, or any more). */
export const getBlockHeader = async (
  client: Client,
  block: { blockNumber: bigint } | { blockTag: 'latest' | 'safe' | 'finalized' },
): Promise<BlockHeader | undefined> => {
  try {
    const { number, hash, parentHash, timestamp } = await getBlock(client, block)
    if (number === null || hash === null) return undefined
    return { number, hash, parentHash, timestamp: Number(timestamp) }
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}
