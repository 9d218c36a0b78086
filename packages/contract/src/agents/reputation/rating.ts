import { MICRO_PER_USDC } from '../../money/money.ts'

/**
 * What an agent's reviews are worth. A pure function with no clock, no chain and no database: the server ranks by it, the
 * page explains itself with it, and the simulated market attacks it. `docs/decisions/0041-a-score-that-costs.md` has the
 * reasons.
 *
 *     score  = (PRIOR_WEIGHT · LOWEST + Σ weight · rating) / (PRIOR_WEIGHT + Σ weight)
 *     weight = evidence · independence · freshness, within the caps of its buyers and of reviews without a fee, + breadth
 *
 * The prior stands at the lowest rating: an agent is as good as it has proven, and what proves something is what cannot
 * be had back, which is the fee of an escrow.
 */

/** Below this price a job says nothing about an agent. */
export const MIN_COUNTED_MICRO = MICRO_PER_USDC / 10n
export const LOWEST_RATING = 1
/** As much weight as is needed to come half of the way from the lowest rating to one's own average. */
export const PRIOR_WEIGHT = 20
/** A fee of this much is the evidence 1. It is also the most that one buyer, or buyers who belong together, can bring. */
export const FULL_FEE_MICRO = 10n * MICRO_PER_USDC
/** The evidence of a review without a fee, and the most that all those of one buyer bring. */
export const FEELESS_EVIDENCE = 0.02
/** All reviews without a fee together: this much, and a share of the weight of those with one. */
export const FEELESS_BASE = 0.5
export const FEELESS_SHARE = 0.1
/**
 * Breadth: the strongest review of each of the three most independent buyers who paid a fee weighs this much more, in
 * full from an escrow's lowest fee on. It lets a newcomer with three good jobs be seen, and hardly moves an agent with
 * many. New wallets do not push an older buyer out of the three.
 */
export const BREADTH_BUYERS = 3
export const BREADTH_WEIGHT = 8
export const BREADTH_FEE_MICRO = 2n * MICRO_PER_USDC
export const HALF_LIFE_DAYS = 365
/** What a buyer's word weighs who is new, unverified and has paid nobody else; the rest has to be earned. */
export const BASE_INDEPENDENCE = 0.3
export const AGE_BONUS = 0.15
export const OTHER_SELLERS_BONUS = 0.15
export const VERIFIED_BONUS = 0.4
/** The age and the number of other sellers from which the bonus is full. */
export const FULL_AGE_DAYS = 30
export const FULL_OTHER_SELLERS = 2
/** A seller could silence a bad review by sending its buyer money; nobody buys bad reviews of themselves. */
export const ALWAYS_HEARD_UP_TO = 2

/** Why a review does not count. */
export const exclusions = [
  'OWN_AGENT',
  'NOT_PAID_OUT',
  'BELOW_MINIMUM',
  'DELIVERED_IN_TIME',
  'MONEY_CAME_BACK',
  'SELLER_FUNDED_BUYER',
  'SHARED_FUNDER',
  'BUYER_FUNDED_SELLER',
] as const
export type Exclusion = (typeof exclusions)[number]

/** Those that follow from how money moved between the two sides. */
export const connectionExclusions: readonly Exclusion[] = [
  'MONEY_CAME_BACK',
  'SELLER_FUNDED_BUYER',
  'SHARED_FUNDER',
  'BUYER_FUNDED_SELLER',
]

/** What lowers the weight of a review that counts. */
export const reductions = [
  'NO_FEE',
  'NEW_BUYER',
  'FEW_OTHER_SELLERS',
  'UNVERIFIED_BUYER',
  'OLD',
  'BUYER_CAP',
  'FEELESS_CAP',
] as const
export type Reduction = (typeof reductions)[number]

export interface RatedReview {
  id: string
  rating: number
  ageDays: number
  /** The marketplace's fee that was really paid: nothing on x402. */
  feeMicro: bigint
  exclusion: Exclusion | null
  buyer: BuyerFacts
}

export interface BuyerFacts {
  /** Buyers with the same name belong together, and share one cap. */
  cluster: string
  isVerified: boolean
  /** Since the first payment to anybody here. */
  ageDays: number
  /** How many sellers this buyer has paid, without this one. */
  otherSellers: number
}

export interface WeighedReview {
  id: string
  rating: number
  counted: boolean
  weight: number
  exclusion: Exclusion | null
  /** What the weight is made of, before caps. */
  evidence: number
  independence: number
  freshness: number
  /** What it weighs more for breadth; part of `weight`. */
  breadth: number
  reductions: Reduction[]
}

export interface WeighedScore {
  score: number
  /** The sum of all weights. */
  weight: number
  reviews: WeighedReview[]
}

export function isHeard({ rating, exclusion }: { rating: number; exclusion: Exclusion | null }): boolean {
  if (exclusion === null) return true
  return rating <= ALWAYS_HEARD_UP_TO && connectionExclusions.includes(exclusion)
}

export function weigh(reviews: readonly RatedReview[]): WeighedScore {
  const capped = capBuyers(reviews.map(weighOne), reviews)
  const withFee = total(capped.filter((_one, index) => hasFee(reviews[index])))
  const without = total(capped.filter((_one, index) => !hasFee(reviews[index])))
  const room = FEELESS_BASE + FEELESS_SHARE * withFee
  const breadth = breadthOf(capped, reviews)
  const weighed = capped.map((one, index) => {
    const more = breadth.get(index) ?? 0
    if (hasFee(reviews[index])) return { ...one, weight: one.weight + more, breadth: more }
    return without > room ? scaled(one, room / without, 'FEELESS_CAP') : one
  })
  const weight = total(weighed)
  const lifted = weighed.reduce((sum, one) => sum + one.weight * one.rating, 0)
  return {
    score: (PRIOR_WEIGHT * LOWEST_RATING + lifted) / (PRIOR_WEIGHT + weight),
    weight,
    reviews: weighed,
  }
}

/** Buyers who belong together bring no more than one buyer, with a fee and without. */
function capBuyers(raw: readonly WeighedReview[], reviews: readonly RatedReview[]): WeighedReview[] {
  const keyOf = (index: number): string => `${hasFee(reviews[index])} ${reviews[index]?.buyer.cluster}`
  const sums = new Map<string, number>()
  for (const [index, { weight }] of raw.entries()) {
    sums.set(keyOf(index), (sums.get(keyOf(index)) ?? 0) + weight)
  }
  return raw.map((one, index) => {
    const sum = sums.get(keyOf(index)) ?? 0
    const cap = hasFee(reviews[index]) ? 1 : FEELESS_EVIDENCE
    return sum > cap ? scaled(one, cap / sum, 'BUYER_CAP') : one
  })
}

/** What the reviews of the most independent buyers weigh more, by their place in the list. */
function breadthOf(weighed: readonly WeighedReview[], reviews: readonly RatedReview[]): Map<number, number> {
  const best = new Map<string, { index: number; more: number; independence: number }>()
  for (const [index, { buyer, feeMicro }] of reviews.entries()) {
    const one = weighed[index]
    if (one === undefined || !one.counted || feeMicro === 0n) continue
    const { independence, freshness } = one
    const feeShare = share(Number(feeMicro), Number(BREADTH_FEE_MICRO))
    const more = (BREADTH_WEIGHT * feeShare * freshness * (1 + independence)) / 2
    const known = best.get(buyer.cluster)
    if (known === undefined || more > known.more) {
      best.set(buyer.cluster, { index, more, independence })
    }
  }
  const chosen = [...best.values()]
    .toSorted((a, b) => b.independence - a.independence || b.more - a.more || a.index - b.index)
    .slice(0, BREADTH_BUYERS)
  return new Map(chosen.map(({ index, more }) => [index, more]))
}

function weighOne(review: RatedReview): WeighedReview {
  const { id, rating, exclusion, buyer, ageDays, feeMicro } = review
  const evidence = evidenceOf(feeMicro)
  const independence = independenceOf(buyer)
  const freshness = freshnessOf(ageDays)
  const counted = isHeard(review)
  const found: Reduction[] = []
  if (counted) {
    if (feeMicro === 0n) found.push('NO_FEE')
    if (buyer.ageDays < FULL_AGE_DAYS) found.push('NEW_BUYER')
    if (buyer.otherSellers < FULL_OTHER_SELLERS) found.push('FEW_OTHER_SELLERS')
    if (!buyer.isVerified) found.push('UNVERIFIED_BUYER')
    if (freshness < 0.9) found.push('OLD')
  }
  return {
    id,
    rating,
    counted,
    weight: counted ? evidence * independence * freshness : 0,
    exclusion: counted ? null : exclusion,
    evidence,
    independence,
    freshness,
    breadth: 0,
    reductions: found,
  }
}

export function evidenceOf(feeMicro: bigint): number {
  if (feeMicro === 0n) return FEELESS_EVIDENCE
  return Number(feeMicro < FULL_FEE_MICRO ? feeMicro : FULL_FEE_MICRO) / Number(FULL_FEE_MICRO)
}

export function independenceOf({ ageDays, otherSellers, isVerified }: Omit<BuyerFacts, 'cluster'>): number {
  return (
    BASE_INDEPENDENCE +
    AGE_BONUS * share(ageDays, FULL_AGE_DAYS) +
    OTHER_SELLERS_BONUS * share(otherSellers, FULL_OTHER_SELLERS) +
    (isVerified ? VERIFIED_BONUS : 0)
  )
}

export function freshnessOf(ageDays: number): number {
  return 0.5 ** (Math.max(0, ageDays) / HALF_LIFE_DAYS)
}

const share = (value: number, full: number): number => Math.min(1, Math.max(0, value) / full)
const hasFee = (review: RatedReview | undefined): boolean => review !== undefined && review.feeMicro > 0n
const total = (reviews: readonly WeighedReview[]): number =>
  reviews.reduce((sum, { weight }) => sum + weight, 0)
const scaled = (one: WeighedReview, by: number, reduction: Reduction): WeighedReview =>
  one.counted ? { ...one, weight: one.weight * by, reductions: [...one.reductions, reduction] } : one
