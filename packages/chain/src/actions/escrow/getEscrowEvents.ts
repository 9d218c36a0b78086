import type { Address, Client, Hex } from 'viem'
import type { BlockRange } from '../../chainEvent.ts'
import { getRawLogs } from '../transactions/getRawLogs.ts'
import { decodeEscrowEvents, type EscrowEvent } from './decodeEscrowEvents.ts'

/** Every event of the escrow in the range, or those about one job, both ends included, in the order of the chain. */
export const getEscrowEvents = async (
  client: Client,
  { escrow, key, ...range }: { escrow: Address; key?: Hex } & BlockRange,
): Promise<EscrowEvent[]> => {
  const topics = key === undefined ? [] : [null, key]
  return decodeEscrowEvents({ escrow, logs: await getRawLogs(client, { address: escrow, topics, ...range }) })
}
