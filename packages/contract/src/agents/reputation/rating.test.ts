import { describe, expect, test } from 'vitest'
import { type BuyerFacts, FEELESS_BASE, isHeard, LOWEST_RATING, type RatedReview, weigh } from './rating.ts'

const known: BuyerFacts = { cluster: '', isVerified: true, ageDays: 400, otherSellers: 5 }
const stranger: BuyerFacts = { cluster: '', isVerified: false, ageDays: 0, otherSellers: 0 }
let number = 0

function review(rating: number, given: Partial<RatedReview> = {}): RatedReview {
  number += 1
  const buyer = given.buyer ?? known
  return {
    id: `review-${number}`,
    rating,
    ageDays: 0,
    feeMicro: 2_000_000n,
    exclusion: null,
    ...given,
    buyer: { ...buyer, cluster: buyer.cluster || `buyer-${number}` },
  }
}

const times = (count: number, make: () => RatedReview) => Array.from({ length: count }, make)
const scoreOf = (...reviews: RatedReview[]) => weigh(reviews).score

test('without reviews an agent stands at the lowest rating, and one star leaves it there', () => {
  expect(weigh([])).toEqual({ score: LOWEST_RATING, weight: 0, reviews: [] })
  expect(scoreOf(...times(10, () => review(1)))).toBe(LOWEST_RATING)
})

test('4.9 from ten goes before 5.0 from one, with a fee and without, of friends of the house and of strangers', () => {
  for (const feeMicro of [0n, 2_000_000n, 20_000_000n]) {
    for (const buyer of [known, stranger]) {
      const ten = [...times(9, () => review(5, { feeMicro, buyer })), review(4, { feeMicro, buyer })]
      expect(scoreOf(...ten)).toBeGreaterThan(scoreOf(review(5, { feeMicro, buyer })))
    }
  }
})

test('the score comes closer to the average the more fees were paid, and never passes it', () => {
  const scores = [1, 3, 10, 100, 1000].map((count) => scoreOf(...times(count, () => review(4))))
  expect(scores).toEqual(scores.toSorted((a, b) => a - b))
  expect(scores.at(-1)).toBeLessThan(4)
  expect(scores.at(-1)).toBeGreaterThan(3.5)
})

test('what was paid, who paid and how long ago decide what a review weighs', () => {
  const weights = [
    review(5, { feeMicro: 10_000_000n }),
    review(5, { feeMicro: 2_000_000n }),
    review(5, { feeMicro: 2_000_000n, ageDays: 365 }),
    review(5, { feeMicro: 2_000_000n, buyer: stranger }),
    review(5, { feeMicro: 0n }),
  ].map((one) => weigh([one]).weight)
  expect(weights[0]).toBeGreaterThan(weights[1] ?? 0)
  expect(weights[2]).toBeCloseTo((weights[1] ?? 0) / 2, 10)
  expect(weights[3]).toBeLessThan(weights[1] ?? 0)
  expect(weights[4]).toBeLessThan(0.05)
})

test('fifty wallets of one cluster weigh as much as one buyer', () => {
  const together = times(50, () => review(5, { feeMicro: 10_000_000n, buyer: { ...known, cluster: 'one' } }))
  const alone = review(5, { feeMicro: 10_000_000n })
  expect(weigh(together).weight).toBeCloseTo(weigh([alone]).weight, 10)
  expect(weigh(together).reviews.every(({ reductions }) => reductions.includes('BUYER_CAP'))).toBe(true)
})

test('without fees there is an end, however many reviews there are', () => {
  const { weight, reviews } = weigh(times(10_000, () => review(5, { feeMicro: 0n })))
  expect(weight).toBeCloseTo(FEELESS_BASE, 10)
  expect(reviews[0]?.reductions).toContain('FEELESS_CAP')
})

test('new wallets with one star do not take the place of the buyers who came before', () => {
  const proven = times(3, () => review(5, { ageDays: 90 }))
  const bombs = times(5, () => review(1, { buyer: stranger }))
  expect(scoreOf(...proven) - scoreOf(...proven, ...bombs)).toBeLessThan(0.1)
})

describe('what does not count', () => {
  test('weighs nothing, and says why', () => {
    const { score, reviews } = weigh([
      review(5, { exclusion: 'SHARED_FUNDER' }),
      review(5, { exclusion: 'OWN_AGENT' }),
    ])
    expect(score).toBe(LOWEST_RATING)
    expect(reviews.map(({ counted, weight, exclusion }) => ({ counted, weight, exclusion }))).toEqual([
      { counted: false, weight: 0, exclusion: 'SHARED_FUNDER' },
      { counted: false, weight: 0, exclusion: 'OWN_AGENT' },
    ])
  })

  test('is never a bad review that the seller’s own money would silence', () => {
    expect(isHeard({ rating: 2, exclusion: 'SELLER_FUNDED_BUYER' })).toBe(true)
    expect(isHeard({ rating: 3, exclusion: 'SELLER_FUNDED_BUYER' })).toBe(false)
    expect(isHeard({ rating: 1, exclusion: 'BELOW_MINIMUM' })).toBe(false)
  })
})
