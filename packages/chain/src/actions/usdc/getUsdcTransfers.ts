import { type Address, type Client, encodeEventTopics, type Log, pad } from 'viem'
import { usdcAbi } from '../../abis.ts'
import type { BlockRange } from '../../chainEvent.ts'
import { getRawLogs } from '../transactions/getRawLogs.ts'
import { decodeUsdcEvents, type UsdcTransfer } from './decodeUsdcEvents.ts'

// Nodes bound how many topics one filter may name.
const ADDRESSES_PER_FILTER = 500

const [transferTopic] = encodeEventTopics({ abi: usdcAbi, eventName: 'Transfer' })

/** Transfers that touch any of `addresses`, as payer or payee, each once and in the order of the chain. */
export const getUsdcTransfers = async (
  client: Client,
  { usdc, addresses, fromBlock, toBlock }: { usdc: Address; addresses: readonly Address[] } & BlockRange,
): Promise<UsdcTransfer[]> => {
  const queries: Promise<Log[]>[] = []
  for (let start = 0; start < addresses.length; start += ADDRESSES_PER_FILTER) {
    const watched = addresses.slice(start, start + ADDRESSES_PER_FILTER).map((address) => pad(address))
    for (const topics of [
      [transferTopic, watched],
      [transferTopic, null, watched],
    ]) {
      queries.push(getRawLogs(client, { address: usdc, topics, fromBlock, toBlock }))
    }
  }
  const { transfers } = decodeUsdcEvents({ usdc, logs: (await Promise.all(queries)).flat() })
  const unique = new Map(
    transfers.map((transfer) => [`${transfer.blockNumber}:${transfer.logIndex}`, transfer]),
  )
  return [...unique.values()].sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
}
