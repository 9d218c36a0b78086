import type { Address, Hex, Log } from 'viem'
import { type EventPlace, placeOf, sentBy } from '../../chainEvent.ts'
import { createEventParser } from '../../createEventParser.ts'
import { reputationRegistryEvents } from '../../generated/events.ts'

export type ReputationEvent = EventPlace & { agentId: bigint; reviewer: Address; feedbackIndex: bigint } & (
    | {
        name: 'FeedbackGiven'
        value: bigint
        valueDecimals: number
        tag1: string
        tag2: string
        endpoint: string
        feedbackUri: string
        feedbackHash: Hex
      }
    | { name: 'FeedbackRevoked' }
    | { name: 'ResponseAppended'; responder: Address; responseUri: string; responseHash: Hex }
  )

const parse = createEventParser(reputationRegistryEvents)

/** The reputation registry's events among `logs`, in their order. */
export const decodeReputationEvents = ({
  registry,
  logs,
}: {
  registry: Address
  logs: Log[]
}): ReputationEvent[] =>
  parse(sentBy(registry, logs)).map((log): ReputationEvent => {
    const { agentId, clientAddress: reviewer, feedbackIndex } = log.args
    const subject = { ...placeOf(log), agentId, reviewer, feedbackIndex }
    if (log.eventName === 'NewFeedback') {
      const { value, valueDecimals, tag1, tag2, endpoint, feedbackURI, feedbackHash } = log.args
      const feedback = { value, valueDecimals, tag1, tag2, endpoint, feedbackUri: feedbackURI, feedbackHash }
      return { ...subject, name: 'FeedbackGiven', ...feedback }
    }
    if (log.eventName === 'FeedbackRevoked') return { ...subject, name: 'FeedbackRevoked' }
    const { responder, responseURI, responseHash } = log.args
    return { ...subject, name: 'ResponseAppended', responder, responseUri: responseURI, responseHash }
  })
