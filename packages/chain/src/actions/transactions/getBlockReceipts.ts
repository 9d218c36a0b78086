import { type Client, formatLog, type Hex, type Log } from 'viem'
import { ChainError } from '../../errors.ts'
import { type RpcReceipt, receiptsRootOf } from '../../proofs/receiptsRoot.ts'
import type { BlockHeader } from './getBlockHeader.ts'

export type BlockReceipt = {
  transactionHash: Hex
  status: 'success' | 'reverted'
  logs: Log<bigint, number, false>[]
}

type ReceiptsRequest = {
  Method: 'eth_getBlockReceipts'
  Parameters: [blockHash: Hex]
  ReturnType: RpcReceipt[] | null
}

/** The embedded chain gives the same list again, and its root is most of the work. */
const knownRoots = new WeakMap<RpcReceipt[], Hex>()

const rootOf = (receipts: RpcReceipt[]): Hex => {
  const root = knownRoots.get(receipts) ?? receiptsRootOf(receipts)
  knownRoots.set(receipts, root)
  return root
}

/**
 * All receipts of a block, in its order, proven by the root that its header commits to. Undefined when the node does not
 * know the block; an error when what it sends is something else. The root covers status and logs; their places follow from
 * the order. The transactions' hashes are those that the block lists at the same places.
 */
export const getBlockReceipts = async (
  client: Client,
  { header }: { header: BlockHeader },
): Promise<BlockReceipt[] | undefined> => {
  const receipts = await client.request<ReceiptsRequest>({
    method: 'eth_getBlockReceipts',
    params: [header.hash],
  })
  if (receipts === null) return undefined
  const isProven = rootOf(receipts) === header.receiptsRoot
  const { transactionHashes } = header
  const isInPlace = receipts.every(
    ({ transactionHash }, index) => transactionHash === transactionHashes[index],
  )
  if (!isProven || !isInPlace) {
    throw new ChainError(
      'INCOMPLETE_ANSWER',
      `the receipts of block ${header.number} are not those that its header commits to`,
    )
  }
  let logIndex = 0
  return receipts.map(({ transactionHash, status, logs }, transactionIndex) => ({
    transactionHash,
    status: status === '0x1' ? 'success' : 'reverted',
    logs: logs.map((log) => {
      const place = {
        blockHash: header.hash,
        blockNumber: header.number,
        transactionHash,
        transactionIndex,
        logIndex,
      }
      logIndex += 1
      return { ...(formatLog(log) as Log<bigint, number, false>), ...place }
    }),
  }))
}
