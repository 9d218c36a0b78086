import { type Address, type Client, formatLog, type Hex, hexToBytes, type Log } from 'viem'
import { ChainError } from '../../errors.ts'
import { type BloomBits, bloomBitsOf, isInBloom } from '../../proofs/bloom.ts'
import { type RpcReceipt, receiptsRootOf } from '../../proofs/receiptsRoot.ts'
import type { BlockHeader } from './getBlockHeader.ts'

type ReceiptsRequest = {
  Method: 'eth_getBlockReceipts'
  Parameters: [blockHash: Hex]
  ReturnType: RpcReceipt[] | null
}

const knownBits = new Map<Address, BloomBits>()
const bitsOf = (address: Address): BloomBits => {
  const bits = knownBits.get(address) ?? bloomBitsOf(address)
  knownBits.set(address, bits)
  return bits
}

/**
 * Every log of these contracts in the block, proven complete: they are taken from the block's receipts, whose root stands
 * in the header. A block that has none by its bloom filter costs no request. Undefined when the node does not know the
 * block; an error when what it sends is not what the header commits to.
 */
export const getBlockLogs = async (
  client: Client,
  { header, addresses }: { header: BlockHeader; addresses: readonly Address[] },
): Promise<Log<bigint, number, false>[] | undefined> => {
  const bloom = hexToBytes(header.logsBloom)
  if (!addresses.some((address) => isInBloom(bloom, bitsOf(address)))) return []
  const receipts = await client.request<ReceiptsRequest>({
    method: 'eth_getBlockReceipts',
    params: [header.hash],
  })
  if (receipts === null) return undefined
  if (receiptsRootOf(receipts) !== header.receiptsRoot) {
    throw new ChainError(
      'INCOMPLETE_ANSWER',
      `the receipts of block ${header.number} are not those that its header commits to`,
    )
  }
  const wanted = new Set(addresses.map((address) => address.toLowerCase()))
  return receipts
    .flatMap(({ logs }) => logs)
    .filter(({ address }) => wanted.has(address.toLowerCase()))
    .map((log) => formatLog(log) as Log<bigint, number, false>)
}
