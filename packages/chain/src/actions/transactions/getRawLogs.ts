import { type Address, type Client, formatLog, type Hex, type Log, numberToHex } from 'viem'
import type { BlockRange } from '../../chainEvent.ts'

/** Logs by address and topics, for filters that name several values at one position. */
export const getRawLogs = async (
  client: Client,
  { address, topics, fromBlock, toBlock }: { address: Address; topics: (Hex | Hex[] | null)[] } & BlockRange,
): Promise<Log[]> => {
  const logs = await client.request({
    method: 'eth_getLogs',
    params: [{ address, topics, fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }],
  })
  return logs.map((log) => formatLog(log) as Log)
}
