import type { ChainPort } from '../../../ports/chain/port.ts'
import type { ReviewRow } from '../store.ts'

/** Where the agent and its reviewer stand on chain. */
export interface OnChainPlace {
  chainId: number
  /** The identity registry, as `eip155:<chainId>:<address>`. */
  agentRegistry: string
  onChainAgentId: bigint
  /** The operator: it writes the feedback for the client, since it knows that the work was paid for. */
  writer: string
}

export const feedbackPlaceOf = ({
  facts,
  agentRegistry,
}: Pick<ChainPort, 'facts' | 'agentRegistry'>): Omit<OnChainPlace, 'onChainAgentId'> => ({
  chainId: facts.chainId,
  agentRegistry: agentRegistry.reference,
  writer: facts.operator,
})

/** The payment that the review is about: the transfer that reached the agent. */
export interface Payment {
  payer: string
  payee: string
  txHash: string
}

export interface FeedbackTerms {
  value: number
  valueDecimals: number
  tag1: string
  tag2: string
  endpoint: string
}

const accountOf = ({ chainId }: OnChainPlace, address: string): string => `eip155:${chainId}:${address}`

const subjectOf = (place: OnChainPlace) => ({
  agentRegistry: place.agentRegistry,
  agentId: Number(place.onChainAgentId),
  clientAddress: accountOf(place, place.writer),
})

/** The feedback file of ERC-8004. The same review on the same chain always gives the same bytes. */
export function feedbackDocument(
  review: Pick<ReviewRow, 'jobId' | 'rating' | 'comment' | 'createdAt' | 'clientWallet'>,
  { place, terms, payment }: { place: OnChainPlace; terms: FeedbackTerms; payment: Payment },
): string {
  return JSON.stringify({
    ...subjectOf(place),
    createdAt: review.createdAt.toISOString(),
    ...terms,
    proofOfPayment: {
      fromAddress: payment.payer,
      toAddress: payment.payee,
      chainId: String(place.chainId),
      txHash: payment.txHash,
    },
    reviewer: accountOf(place, review.clientWallet),
    rating: review.rating,
    comment: review.comment,
    jobId: review.jobId,
  })
}

/** What the seller replied to a feedback. */
export function responseDocument(
  { reply, repliedAt }: Pick<ReviewRow, 'reply' | 'repliedAt'>,
  { place, feedbackIndex, responder }: { place: OnChainPlace; feedbackIndex: bigint; responder: string },
): string {
  return JSON.stringify({
    ...subjectOf(place),
    feedbackIndex: Number(feedbackIndex),
    responder: accountOf(place, responder),
    createdAt: repliedAt?.toISOString() ?? null,
    response: reply,
  })
}
