import { type Address, type Log, parseEventLogs } from 'viem'
import { agentRegistryAbi } from '../../abis.ts'
import { type EventPlace, placeOf, sentBy } from '../../chainEvent.ts'

export type AgentRegistryEvent = EventPlace & { agentId: bigint } & (
    | { name: 'Registered'; owner: Address; agentUri: string }
    | { name: 'UriUpdated'; agentUri: string; updatedBy: Address }
    | { name: 'Transferred'; from: Address; to: Address }
  )

/** Registrations, new files and changes of owner among `logs`, in their order. A registration is also a transfer from the zero address. */
export const decodeAgentRegistryEvents = ({
  registry,
  logs,
}: {
  registry: Address
  logs: Log[]
}): AgentRegistryEvent[] =>
  parseEventLogs({
    abi: agentRegistryAbi,
    eventName: ['Registered', 'URIUpdated', 'Transfer'],
    logs: sentBy(registry, logs),
  }).map((log): AgentRegistryEvent => {
    const place = placeOf(log)
    if (log.eventName === 'Registered') {
      const { agentId, owner, agentURI } = log.args
      return { ...place, name: 'Registered', agentId, owner, agentUri: agentURI }
    }
    if (log.eventName === 'URIUpdated') {
      const { agentId, newURI, updatedBy } = log.args
      return { ...place, name: 'UriUpdated', agentId, agentUri: newURI, updatedBy }
    }
    const { tokenId, from, to } = log.args
    return { ...place, name: 'Transferred', agentId: tokenId, from, to }
  })
