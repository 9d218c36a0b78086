import type { Address, Client } from 'viem'
import { getLogs } from 'viem/actions'
import type { BlockRange } from '../../chainEvent.ts'
import { decodeReputationEvents, type ReputationEvent } from './decodeReputationEvents.ts'

export const getReputationEvents = async (
  client: Client,
  { registry, fromBlock, toBlock }: { registry: Address } & BlockRange,
): Promise<ReputationEvent[]> =>
  decodeReputationEvents({ registry, logs: await getLogs(client, { address: registry, fromBlock, toBlock }) })
