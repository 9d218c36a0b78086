import type { Address, Client } from 'viem'
import { getLogs } from 'viem/actions'
import type { BlockRange } from '../../chainEvent.ts'
import { decodeEscrowEvents, type EscrowEvent } from './decodeEscrowEvents.ts'

/** Every event of the escrow in the range, both ends included, in the order of the chain. */
export const getEscrowEvents = async (
  client: Client,
  { escrow, fromBlock, toBlock }: { escrow: Address } & BlockRange,
): Promise<EscrowEvent[]> =>
  decodeEscrowEvents({ escrow, logs: await getLogs(client, { address: escrow, fromBlock, toBlock }) })
