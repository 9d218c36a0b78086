import { BlockNotFoundError, type Client, type Hex } from 'viem'
import { getBlock } from 'viem/actions'

export type BlockHeader = {
  number: bigint
  hash: Hex
  parentHash: Hex
  timestamp: number
  /** Which addresses and topics the block's logs may name. */
  logsBloom: Hex
  /** Commits to every receipt of the block, and so to every log. */
  receiptsRoot: Hex
}

/** The header of a block by number or by tag; undefined when the chain has no such block (yet, or any more). */
export const getBlockHeader = async (
  client: Client,
  block: { blockNumber: bigint } | { blockTag: 'latest' | 'safe' | 'finalized' },
): Promise<BlockHeader | undefined> => {
  try {
    const { number, hash, parentHash, timestamp, logsBloom, receiptsRoot } = await getBlock(client, block)
    if (number === null || hash === null || logsBloom === null) return undefined
    return { number, hash, parentHash, timestamp: Number(timestamp), logsBloom, receiptsRoot }
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}
