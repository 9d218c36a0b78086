import { type Client, type Hex, numberToHex } from 'viem'
import { ChainError } from '../../errors.ts'
import { headerHashOf, type RpcHeader } from '../../proofs/headerHash.ts'

export type BlockHeader = {
  number: bigint
  hash: Hex
  parentHash: Hex
  timestamp: number
  /** Which addresses and topics the block's logs may name. */
  logsBloom: Hex
  /** Commits to every receipt of the block, and so to every log. */
  receiptsRoot: Hex
  /** In the order of the block. */
  transactionHashes: readonly Hex[]
}

type Place = { blockNumber: bigint } | { blockHash: Hex } | { blockTag: 'latest' | 'safe' | 'finalized' }

type HeaderRequest = {
  Method: 'eth_getBlockByNumber' | 'eth_getBlockByHash'
  Parameters: [block: Hex | 'latest' | 'safe' | 'finalized', withTransactions: false]
  ReturnType: RpcHeader | null
}

/** Headers whose hash was checked. The embedded chain gives the same object again, and hashing is most of the work. */
const checked = new WeakMap<RpcHeader, BlockHeader>()

/**
 * The header of a block; undefined when the chain has no such block (yet, or any more). What it says is what its hash
 * commits to: one that was changed on the way is an error.
 */
export const getBlockHeader = async (client: Client, place: Place): Promise<BlockHeader | undefined> => {
  const header = await client.request<HeaderRequest>(
    'blockHash' in place
      ? { method: 'eth_getBlockByHash', params: [place.blockHash, false] }
      : {
          method: 'eth_getBlockByNumber',
          params: ['blockTag' in place ? place.blockTag : numberToHex(place.blockNumber), false],
        },
  )
  if (header === null) return undefined
  const read = checked.get(header) ?? readHeader(header)
  if (read === undefined) return undefined
  if (!isAskedFor(place, read)) throw notItsHash(read.number)
  checked.set(header, read)
  return read
}

const readHeader = (header: RpcHeader): BlockHeader | undefined => {
  const { number, hash, parentHash, timestamp, logsBloom, receiptsRoot, transactions } = header
  if (number === null || hash === null || logsBloom === null) return undefined
  if (headerHashOf(header) !== hash) throw notItsHash(BigInt(number))
  return {
    number: BigInt(number),
    hash,
    parentHash,
    timestamp: Number(timestamp),
    logsBloom,
    receiptsRoot,
    transactionHashes: transactions,
  }
}

const isAskedFor = (place: Place, { number, hash }: BlockHeader): boolean => {
  if ('blockHash' in place) return place.blockHash === hash
  return 'blockTag' in place || place.blockNumber === number
}

const notItsHash = (number: bigint): ChainError =>
  new ChainError('INCOMPLETE_ANSWER', `the header of block ${number} does not have its hash`)
