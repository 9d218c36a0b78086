import type { Address, Log } from 'viem'
import { type EventPlace, placeOf, sentBy } from '../../chainEvent.ts'
import { createEventParser } from '../../createEventParser.ts'
import { agentRegistryEvents } from '../../generated/events.ts'

export type AgentRegistryEvent = EventPlace & { agentId: bigint } & (
    | { name: 'Registered'; owner: Address; agentUri: string }
    | { name: 'UriUpdated'; agentUri: string; updatedBy: Address }
    | { name: 'Transferred'; from: Address; to: Address }
  )

const parse = createEventParser(
  agentRegistryEvents.filter(
    (event) => event.name === 'Registered' || event.name === 'URIUpdated' || event.name === 'Transfer',
  ),
)

/** Registrations, new files and changes of owner among `logs`, in their order. A registration is also a transfer from the zero address. */
export const decodeAgentRegistryEvents = ({
  registry,
  logs,
}: {
  registry: Address
  logs: Log[]
}): AgentRegistryEvent[] =>
  parse(sentBy(registry, logs)).map((log): AgentRegistryEvent => {
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
