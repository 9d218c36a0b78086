import type { Address, Hex, Log } from 'viem'
import { ChainError } from './errors.ts'

/** Where an event stands on the chain: enough to recognise it again, and to notice that its block was replaced. */
export type EventPlace = { blockNumber: bigint; blockHash: Hex; transactionHash: Hex; logIndex: number }

/** Both ends belong to the range. */
export type BlockRange = { fromBlock: bigint; toBlock: bigint }

export const placeOf = ({
  blockNumber,
  blockHash,
  transactionHash,
  logIndex,
}: Log<bigint | null, number | null>): EventPlace => {
  if (blockNumber === null || blockHash === null || transactionHash === null || logIndex === null) {
    throw new ChainError('INVALID_ARGUMENT', 'an event of a block that is still pending has no place yet')
  }
  return { blockNumber, blockHash, transactionHash, logIndex }
}

/** Anyone may emit an event of any shape: only the contract's own count. */
export const sentBy = (contract: Address, logs: Log[]): Log[] => {
  const wanted = contract.toLowerCase()
  return logs.filter(({ address }) => address.toLowerCase() === wanted)
}
