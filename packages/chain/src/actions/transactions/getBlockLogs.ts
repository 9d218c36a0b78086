import { type Address, type Client, type Hex, hexToBytes, type Log } from 'viem'
import { type BloomBits, bloomBitsOf, isInBloom } from '../../proofs/bloom.ts'
import type { BlockHeader } from './getBlockHeader.ts'
import { getBlockReceipts } from './getBlockReceipts.ts'

/** The logs of a contract; with topics only those that may name one of them. */
export type LogFilter = { address: Address; topics?: readonly Hex[] }

const knownBits = new Map<Hex, BloomBits>()
const bitsOf = (value: Hex): BloomBits => {
  const bits = knownBits.get(value) ?? bloomBitsOf(value)
  knownBits.set(value, bits)
  return bits
}

/** False when the header itself shows that the block has no such log. */
const mayHave = (bloom: Uint8Array, { address, topics }: LogFilter): boolean => {
  if (!isInBloom(bloom, bitsOf(address))) return false
  return topics === undefined || topics.some((topic) => isInBloom(bloom, bitsOf(topic)))
}

/**
 * The logs of these contracts in the block, proven complete: they are taken from the block's receipts, whose root stands in
 * the header. A block that has none by its bloom filter, which the header commits to as well, costs no request. Undefined
 * when the node does not know the block.
 */
export const getBlockLogs = async (
  client: Client,
  { header, filters }: { header: BlockHeader; filters: readonly LogFilter[] },
): Promise<Log<bigint, number, false>[] | undefined> => {
  const bloom = hexToBytes(header.logsBloom)
  const admitted = filters.filter((filter) => mayHave(bloom, filter))
  if (admitted.length === 0) return []
  const receipts = await getBlockReceipts(client, { header })
  const wanted = new Set(admitted.map(({ address }) => address.toLowerCase()))
  return receipts?.flatMap(({ logs }) => logs.filter(({ address }) => wanted.has(address.toLowerCase())))
}
