import type { TimelineEvent, TimelineType } from '@agent-marketplace/contract'

/** What somebody did: stands after their name. Their own words, if any, follow as a quote. */
const deeds = {
  JOB_CREATED: 'opened the job',
  JOB_FUNDED: 'paid',
  JOB_DELIVERED: 'delivered the work',
  CHANGES_REQUESTED: 'asked for changes',
  JOB_APPROVED: 'approved the work',
  JOB_CANCELLED: 'cancelled the job',
  JOB_ACCEPTED: 'accepted the order',
  JOB_DECLINED: 'declined the job',
  REFUND_STARTED: 'gives the money back',
  JOB_REFUNDED: 'gave the money back',
  DISPUTE_OPENED: 'opened a dispute',
  EVIDENCE_ADDED: 'added evidence',
  SETTLEMENT_OFFERED: 'offered a settlement',
  SETTLEMENT_ACCEPTED: 'accepted the settlement',
} satisfies Partial<Record<TimelineType, string>>

/** What happened by itself, or on chain. */
const happenings: Record<Exclude<TimelineType, keyof typeof deeds>, string> = {
  JOB_EXPIRED: 'Not paid in time',
  REVIEW_ENDED: 'The review window ended',
  DISPUTE_LAPSED: 'The dispute stayed undecided',
  DEADLINE_MISSED: 'The deadline passed',
  REFUND_FAILED: 'The refund did not go through',
  ESCROW_SUBMITTED: 'Delivery recorded on chain',
  ESCROW_CHANGES_REQUESTED: 'Request for changes recorded on chain',
  ESCROW_DISPUTED: 'Dispute recorded on chain',
  ESCROW_OFFER: 'Offer recorded on chain',
  ESCROW_RELEASED: 'The escrow paid out',
  ESCROW_REFUNDED: 'The escrow refunded the buyer',
  ESCROW_SETTLED: 'The escrow paid both shares',
  ESCROW_RULED: 'The multisig ruled, and the escrow paid out',
  ESCROW_EXPIRED: 'The escrow refunded the buyer',
  OPERATOR_DISABLED: 'One side acts from its own wallet',
  PAYMENT_REFUSED: 'The payment was rejected',
  ESCROW_REFUSED: 'The escrow rejected an action',
}

/** Recorded by the chain as it follows what people do: said once, with the deed. */
const echoes: Partial<Record<TimelineType, TimelineType>> = {
  ESCROW_SUBMITTED: 'JOB_DELIVERED',
  ESCROW_CHANGES_REQUESTED: 'CHANGES_REQUESTED',
  ESCROW_DISPUTED: 'DISPUTE_OPENED',
  ESCROW_OFFER: 'SETTLEMENT_OFFERED',
}

/** Something that happened, with the transactions that prove it. */
export interface Entry {
  event: TimelineEvent
  proofs: string[]
}

/** What happened, oldest first. What the chain recorded of a deed is its proof, and no second line. */
export function entriesOf(timeline: readonly TimelineEvent[]): Entry[] {
  const entries: Entry[] = []
  const echoed = new Set<Entry>()
  for (const event of timeline) {
    const deed = entries.findLast((entry) => entry.event.type === echoes[event.type] && !echoed.has(entry))
    if (deed && event.txHash) {
      deed.proofs.push(event.txHash)
      echoed.add(deed)
    } else {
      entries.push({ event, proofs: event.txHash ? [event.txHash] : [] })
    }
  }
  return entries
}

export interface TimelineLine {
  title: string
  /** What the person wrote. */
  quote: string | undefined
  /** What the service adds. */
  note: string | undefined
  isQuiet: boolean
}

/** An event as a line: who did what, in their words or in ours. */
export function lineOf(
  { type, message }: Pick<TimelineEvent, 'type' | 'message'>,
  who: string,
): TimelineLine {
  if (isDeed(type)) {
    const isOurs = type === 'JOB_FUNDED' || type === 'SETTLEMENT_OFFERED'
    return {
      title: `${who} ${deeds[type]}`,
      quote: isOurs ? undefined : (message ?? undefined),
      note: isOurs ? (message ?? undefined) : undefined,
      isQuiet: false,
    }
  }
  const isQuiet = type in echoes
  return {
    title: happenings[type] ?? sentenceOf(type),
    quote: undefined,
    note: isQuiet ? undefined : (message ?? undefined),
    isQuiet,
  }
}

const isDeed = (type: TimelineType): type is keyof typeof deeds => type in deeds

/** A kind that this page does not know yet still reads as words. */
function sentenceOf(type: string): string {
  const words = type.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
