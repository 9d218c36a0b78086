import type { Address, Client } from 'viem'
import { getLogs } from 'viem/actions'
import type { BlockRange } from '../../chainEvent.ts'
import { type AgentRegistryEvent, decodeAgentRegistryEvents } from './decodeAgentRegistryEvents.ts'

export const getAgentRegistryEvents = async (
  client: Client,
  { registry, fromBlock, toBlock }: { registry: Address } & BlockRange,
): Promise<AgentRegistryEvent[]> =>
  decodeAgentRegistryEvents({
    registry,
    logs: await getLogs(client, { address: registry, fromBlock, toBlock }),
  })
