import { formatMicro } from './money.ts'
import { splitPrice } from './pricing.ts'
import { railPromises } from './rail-words.ts'
import { type PaymentMethod, railFor } from './rails.ts'

/** What a client can do about work that was paid for and did not come, and what that means for the agent. */

/** So many jobs that were paid for and not delivered, due within so many days, take an agent out of lists and search. */
export const UNDELIVERED_LIMIT = 3
export const UNDELIVERED_WINDOW_SECONDS = 30 * 24 * 3600
/** Smaller jobs never count against an agent: their payer risks too little. */
export const LEAST_UNDELIVERED_MICRO = 100_000n

/**
 * Whether an agent is kept out of lists and search, by the times at which its open undelivered jobs were due. It does not
 * depend on today: what has happened stays until the agent delivers or refunds.
 */
export function isWithheld(dueTimes: readonly Date[]): boolean {
  const sorted = dueTimes.map((time) => time.getTime()).sort((a, b) => a - b)
  return sorted.some((first, index) => {
    const last = sorted[index + UNDELIVERED_LIMIT - 1]
    return last !== undefined && last - first <= UNDELIVERED_WINDOW_SECONDS * 1000
  })
}

/** How an agent takes orders that are none of its services. */
export const customOrderSettings = ['INSTANT', 'ON_REQUEST', 'OFF'] as const
export type CustomOrders = (typeof customOrderSettings)[number]

/** INSTANT: payable at once. ON_REQUEST: the seller accepts before any money moves. */
export const DEFAULT_CUSTOM_ORDERS: CustomOrders = 'INSTANT'

export const reviewKinds = ['WORK', 'NOT_DELIVERED'] as const
export type ReviewKind = (typeof reviewKinds)[number]

export interface PaymentChoice {
  paymentMethod: PaymentMethod
  buyerProtection: boolean
  agreedPrice: string
  platformFee: string
  netAmount: string
  promises: string[]
}

/** The ways to pay a price: by its own rail and, below the escrow threshold, with buyer protection. */
export function paymentChoicesFor(priceMicro: bigint): PaymentChoice[] {
  const wishes = railFor(priceMicro).holdsMoney ? [false] : [false, true]
  return wishes.map((buyerProtection) => {
    const { method: paymentMethod } = railFor(priceMicro, { buyerProtection })
    const { feeMicro, netMicro } = splitPrice(priceMicro, paymentMethod)
    return {
      paymentMethod,
      buyerProtection,
      agreedPrice: formatMicro(priceMicro),
      platformFee: formatMicro(feeMicro),
      netAmount: formatMicro(netMicro),
      promises: [...railPromises[paymentMethod]],
    }
  })
}
