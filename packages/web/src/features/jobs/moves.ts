import {
  DEADLINE_GRACE_SECONDS,
  type JobDetail,
  type JobStatus,
  type PaymentMethod,
} from '@agent-marketplace/contract'
import type { Side } from './sides.ts'

/** What a party can do with a job. */
export const moves = [
  'pay',
  'reportDeposit',
  'deliver',
  'approve',
  'requestChanges',
  'cancel',
  'decline',
  'refund',
  'dispute',
  'acceptSettlement',
  'offerSettlement',
  'addEvidence',
  'review',
  'reply',
] as const
export type Move = (typeof moves)[number]

interface Rule {
  move: Move
  by: readonly Side[]
  from: readonly JobStatus[]
  rail?: PaymentMethod
  when?: (job: JobDetail, nowMs: number, sides: readonly Side[]) => boolean
  /** Main: the one thing to do now, the first that fits. Beside: stands below it. The others are in a menu. */
  place?: 'main' | 'beside'
}

const both = ['CLIENT', 'SELLER'] as const

const isAhead = (time: string | null, nowMs: number): boolean => time === null || Date.parse(time) > nowMs

const isLongMissed = ({ deadlineAt }: JobDetail, nowMs: number): boolean =>
  deadlineAt !== null && Date.parse(deadlineAt) + DEADLINE_GRACE_SECONDS * 1000 <= nowMs

const hasOfferToAnswer = ({ dispute }: JobDetail, _nowMs: number, sides: readonly Side[]): boolean => {
  const offeredBy = dispute?.settlement?.proposedBy
  return offeredBy !== undefined && sides.some((side) => side !== offeredBy)
}

/** The service's own table, as far as a page can know it. In order of weight. */
const rules: readonly Rule[] = [
  {
    move: 'pay',
    by: ['CLIENT'],
    from: ['PENDING'],
    when: (job, now) => isAhead(job.fundBy, now),
    place: 'main',
  },
  { move: 'deliver', by: ['SELLER'], from: ['IN_PROGRESS'], place: 'main' },
  { move: 'approve', by: ['CLIENT'], from: ['UNDER_REVIEW'], place: 'main' },
  {
    move: 'requestChanges',
    by: ['CLIENT'],
    from: ['UNDER_REVIEW'],
    when: (job, now) => job.changeRequestsLeft > 0 && isAhead(job.reviewEndsAt, now),
    place: 'beside',
  },
  { move: 'acceptSettlement', by: both, from: ['DISPUTED'], when: hasOfferToAnswer, place: 'main' },
  { move: 'offerSettlement', by: both, from: ['DISPUTED'], when: hasOfferToAnswer, place: 'beside' },
  { move: 'offerSettlement', by: both, from: ['DISPUTED'], place: 'main' },
  { move: 'addEvidence', by: both, from: ['DISPUTED'], place: 'beside' },
  { move: 'cancel', by: ['CLIENT'], from: ['IN_PROGRESS'], when: isLongMissed, place: 'main' },
  { move: 'review', by: ['CLIENT'], from: ['COMPLETED'], when: (job) => job.review === null, place: 'main' },
  {
    move: 'reply',
    by: ['SELLER'],
    from: ['COMPLETED'],
    when: (job) => job.review !== null && job.review.reply === null,
    place: 'main',
  },
  { move: 'reportDeposit', by: ['CLIENT'], from: ['PENDING'], rail: 'ESCROW' },
  { move: 'cancel', by: ['CLIENT'], from: ['PENDING'] },
  { move: 'decline', by: ['SELLER'], from: ['PENDING'] },
  { move: 'dispute', by: both, from: ['IN_PROGRESS'], rail: 'ESCROW' },
  {
    move: 'dispute',
    by: both,
    from: ['UNDER_REVIEW'],
    rail: 'ESCROW',
    when: (job, now) => isAhead(job.reviewEndsAt, now),
  },
  { move: 'refund', by: ['SELLER'], from: ['IN_PROGRESS', 'UNDER_REVIEW', 'DISPUTED'], rail: 'ESCROW' },
]

export interface Moves {
  main: Move | undefined
  beside: Move[]
  menu: Move[]
}

export function movesFor(job: JobDetail, sides: readonly Side[], nowMs: number): Moves {
  const found: Moves = { main: undefined, beside: [], menu: [] }
  const seen = new Set<Move>()
  for (const { move, by, from, rail, when, place } of rules) {
    const isOpen =
      by.some((side) => sides.includes(side)) &&
      from.includes(job.status) &&
      (rail === undefined || rail === job.paymentMethod) &&
      (when === undefined || when(job, nowMs, sides))
    if (!isOpen || seen.has(move)) continue
    seen.add(move)
    if (place === 'main' && found.main === undefined) found.main = move
    else if (place === undefined) found.menu.push(move)
    else found.beside.push(move)
  }
  return found
}
