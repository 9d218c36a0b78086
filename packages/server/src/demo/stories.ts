import {
  AML_FLAG_MICRO,
  escrowRail,
  type JobStatus,
  type PaymentMethod,
  x402Rail,
} from '@agent-marketplace/contract'
import type { Random } from './random.ts'
import { LAST_SLOT } from './span.ts'
import { apologies, changeRequests, declines, dispute, praise, refunds, revisions, thanks } from './words.ts'

const x402 = x402Rail.method
const escrow = escrowRail.method

/** What has the same slot happens one after the other. */
export type StoryStep = SideStep | AdminStep

/** One thing that a side of a job does: POST /api/jobs/{id}/<verb>. */
export interface SideStep {
  slot: number
  by: 'client' | 'seller'
  verb: string
  body: Record<string, unknown>
  /** A text to store first; the step then names it as evidence. */
  evidence?: string
}

/** What an administrator decides about a job. */
export type AdminStep = { slot: number; by: 'admin' } & (
  | { verb: 'rule'; body: { sellerBps: number } }
  | { verb: 'resolveFlag'; body: { reason: string } }
)

export interface Story {
  rail: PaymentMethod
  /** When the job is opened, and whether it is paid for at once. */
  slot: number
  isPaid: boolean
  deadlineHours?: number
  /** Where more is ordered than the list price pays for. */
  priceMicro?: bigint
  steps: StoryStep[]
  /** When the platform has something to do for it. */
  dueSlot?: number
  endsAs: JobStatus
}

/** What a story is written with: its first slot, and the text of the work. */
export interface StoryPrompt {
  random: Random
  slot: number
  delivery: string
}

export type Tell = (prompt: StoryPrompt) => Story

const client = (slot: number, verb: string, body = {}): SideStep => ({ slot, by: 'client', verb, body })
const seller = (slot: number, verb: string, body = {}): SideStep => ({ slot, by: 'seller', verb, body })

/** A review some time after the job is done, for most jobs, and a reply to it, for some. */
function opinions(random: Random, doneSlot: number): StoryStep[] {
  const slot = doneSlot + random.between(1, 2)
  if (slot > LAST_SLOT || !random.chance(0.8)) return []
  const rating = random.pick([5, 5, 5, 5, 5, 4, 4, 4, 3, 2] as const)
  const review = client(slot, 'review', { rating, comment: random.pick(praise[rating]) })
  const replySlot = slot + random.between(1, 2)
  if (replySlot > LAST_SLOT || !random.chance(0.45)) return [review]
  return [
    review,
    seller(replySlot, 'review/reply', { comment: random.pick(rating > 3 ? thanks : apologies) }),
  ]
}

const bought: Tell = ({ random, slot, delivery }) => {
  const done = slot + 1
  const steps = [seller(done, 'deliver', { content: delivery }), ...opinions(random, done)]
  return { rail: x402, slot, isPaid: true, steps, endsAs: 'COMPLETED' }
}

const approved: Tell = ({ random, slot, delivery }) => {
  const delivered = slot + random.between(1, 2)
  // Two slots are six days at most: the review lasts seven.
  const done = delivered + random.between(1, 2)
  const steps = [seller(delivered, 'deliver', { content: delivery }), client(done, 'approve')]
  const after = opinions(random, done)
  return { rail: escrow, slot, isPaid: true, steps: [...steps, ...after], endsAs: 'COMPLETED' }
}

const revised: Tell = ({ random, slot, delivery }) => {
  const delivered = slot + random.between(1, 2)
  const steps = [
    seller(delivered, 'deliver', { content: delivery }),
    client(delivered + 1, 'request-changes', { reason: random.pick(changeRequests) }),
    seller(delivered + 2, 'deliver', { content: random.pick(revisions) }),
    client(delivered + 3, 'approve'),
    ...opinions(random, delivered + 3),
  ]
  return { rail: escrow, slot, isPaid: true, steps, endsAs: 'COMPLETED' }
}

/** The client says nothing for seven days: silence pays the agent. */
const unanswered: Tell = ({ random, slot, delivery }) => {
  const delivered = slot + random.between(1, 2)
  const dueSlot = delivered + 5
  const steps = [seller(delivered, 'deliver', { content: delivery }), ...opinions(random, dueSlot)]
  return { rail: escrow, slot, isPaid: true, steps, dueSlot, endsAs: 'COMPLETED' }
}

const settled: Tell = ({ random, slot, delivery }) => {
  const delivered = slot + random.between(1, 2)
  const steps = [
    seller(delivered, 'deliver', { content: delivery }),
    { ...client(delivered + 1, 'dispute', { reason: dispute.reason }), evidence: dispute.clientEvidence },
    seller(delivered + 2, 'dispute/settlement', { sellerBps: 6500 }),
    client(delivered + 3, 'dispute/settlement/accept'),
  ]
  return { rail: escrow, slot, isPaid: true, steps, endsAs: 'COMPLETED' }
}

const refunded: Tell = ({ random, slot }) => {
  const steps = [seller(slot + random.between(1, 2), 'refund', { reason: random.pick(refunds) })]
  return { rail: escrow, slot, isPaid: true, steps, endsAs: 'CANCELLED' }
}

/** Two days to deliver and one of grace, and then the client takes the money back. */
const missed: Tell = ({ slot }) => {
  const steps = [client(slot + 3, 'cancel', { reason: 'The deadline has passed.' })]
  return { rail: escrow, slot, isPaid: true, deadlineHours: 48, steps, endsAs: 'CANCELLED' }
}

/** At once: a job that is not paid for within a day is no more. */
const declined: Tell = ({ random, slot }) => {
  const steps = [seller(slot, 'decline', { reason: random.pick(declines) })]
  return { rail: escrow, slot, isPaid: false, steps, endsAs: 'CANCELLED' }
}

const forgotten: Tell = ({ slot }) => ({
  rail: x402,
  slot,
  isPaid: false,
  steps: [],
  dueSlot: slot + 2,
  endsAs: 'CANCELLED',
})

/** A story that is over, and the most slots that it takes until the job is; reviews may come later or never. */
export interface PastStory {
  tell: Tell
  slots: number
}

/** One deal of what happens in a market: most jobs go well. */
export const pastDeck: readonly PastStory[] = [
  ...Array.from({ length: 8 }, () => ({ tell: bought, slots: 1 })),
  ...Array.from({ length: 5 }, () => ({ tell: approved, slots: 4 })),
  { tell: revised, slots: 5 },
  ...Array.from({ length: 2 }, () => ({ tell: unanswered, slots: 7 })),
  { tell: settled, slots: 5 },
  { tell: refunded, slots: 2 },
  { tell: missed, slots: 3 },
  { tell: declined, slots: 0 },
  { tell: forgotten, slots: 2 },
]

const atWork =
  (rail: Story['rail']): Tell =>
  ({ random }) => ({
    rail,
    slot: LAST_SLOT - random.between(0, 1),
    isPaid: true,
    deadlineHours: 120,
    steps: [],
    endsAs: 'IN_PROGRESS',
  })

const waiting =
  (rail: Story['rail']): Tell =>
  () => ({ rail, slot: LAST_SLOT, isPaid: false, steps: [], endsAs: 'PENDING' })

const underReview: Tell = ({ random, delivery }) => {
  const slot = LAST_SLOT - random.between(2, 4)
  const steps = [seller(LAST_SLOT - random.between(0, 1), 'deliver', { content: delivery })]
  return { rail: escrow, slot, isPaid: true, steps, endsAs: 'UNDER_REVIEW' }
}

/** Opened a few days ago, argued by both sides, with an offer on the table. */
const disputed: Tell = ({ delivery }) => {
  const evidence = dispute
  const steps = [
    seller(LAST_SLOT - 4, 'deliver', { content: delivery }),
    { ...client(LAST_SLOT - 3, 'dispute', { reason: evidence.reason }), evidence: evidence.clientEvidence },
    {
      ...seller(LAST_SLOT - 2, 'dispute/evidence', { reason: evidence.response }),
      evidence: evidence.sellerEvidence,
    },
    seller(LAST_SLOT - 1, 'dispute/settlement', { sellerBps: 6000 }),
  ]
  return { rail: escrow, slot: LAST_SLOT - 5, isPaid: true, steps, endsAs: 'DISPUTED' }
}

/** What is still open today. The first of them belong to the buyer and the seller that a newcomer may be. */
export const presentDeck: readonly Tell[] = [
  underReview,
  atWork(escrow),
  waiting(escrow),
  disputed,
  atWork(x402),
  waiting(x402),
  underReview,
  atWork(escrow),
  underReview,
  atWork(x402),
  waiting(escrow),
]

/** The sides did not agree within days, so the administrator decided. */
const ruled: Tell = ({ delivery }) => {
  const slot = LAST_SLOT - 9
  const steps: StoryStep[] = [
    seller(slot + 1, 'deliver', { content: delivery }),
    { ...client(slot + 2, 'dispute', { reason: dispute.reason }), evidence: dispute.clientEvidence },
    {
      ...seller(slot + 3, 'dispute/evidence', { reason: dispute.response }),
      evidence: dispute.sellerEvidence,
    },
    { slot: slot + 5, by: 'admin', verb: 'rule', body: { sellerBps: 7000 } },
  ]
  return { rail: escrow, slot, isPaid: true, steps, endsAs: 'COMPLETED' }
}

/** So large that it is flagged for review, since nobody has verified the buyer. */
const LARGE_MICRO = AML_FLAG_MICRO + 400_000_000n

const cleared: Tell = ({ delivery }) => {
  const slot = LAST_SLOT - 7
  const reason = 'The invoice and the contract of the buyer explain the amount.'
  const steps: StoryStep[] = [
    { slot: slot + 1, by: 'admin', verb: 'resolveFlag', body: { reason } },
    seller(slot + 2, 'deliver', { content: delivery }),
    client(slot + 3, 'approve'),
  ]
  return { rail: escrow, slot, isPaid: true, priceMicro: LARGE_MICRO, steps, endsAs: 'COMPLETED' }
}

const flagged: Tell = () => ({
  rail: escrow,
  slot: LAST_SLOT - 1,
  isPaid: true,
  priceMicro: LARGE_MICRO + 850_000_000n,
  steps: [],
  endsAs: 'IN_PROGRESS',
})

/** What the pages of the administrator show. */
export const consoleDeck: readonly Tell[] = [ruled, cleared, flagged]
