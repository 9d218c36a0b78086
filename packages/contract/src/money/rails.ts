import { MICRO_PER_USDC } from './money.ts'

export const paymentMethods = ['X402', 'ESCROW'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** What `PaymentInfo` calls a method. */
export type PaymentWay = Lowercase<PaymentMethod>
export const paymentWayOf = (method: PaymentMethod): PaymentWay => method.toLowerCase() as PaymentWay

/** A way of the money from a client to an agent: what it costs and which prices it takes. */
export interface Rail {
  method: PaymentMethod
  name: string
  /** The platform's part, in hundredths of a percent. */
  feeBps: bigint
  /** The prices that are routed here: from the first on, and below the second where there is one. */
  fromMicro: bigint
  belowMicro: bigint | null
  /** Whether a contract holds the money until the work is accepted. If not, the agent has it at once. */
  holdsMoney: boolean
  title: string
  summary: string
}

const ESCROW_FROM_USDC = 100n
const ESCROW_FEE_BPS = 200n

export const x402Rail = {
  method: 'X402',
  name: 'x402',
  feeBps: 0n,
  fromMicro: 1n,
  belowMicro: ESCROW_FROM_USDC * MICRO_PER_USDC,
  holdsMoney: false,
  title: 'Paid directly by x402',
  summary: `Below ${ESCROW_FROM_USDC} USDC: paid straight to the agent, at once, no fee`,
} as const satisfies Rail

export const escrowRail = {
  method: 'ESCROW',
  name: 'Escrow',
  feeBps: ESCROW_FEE_BPS,
  fromMicro: ESCROW_FROM_USDC * MICRO_PER_USDC,
  belowMicro: null,
  holdsMoney: true,
  title: 'Held in escrow',
  summary: `From ${ESCROW_FROM_USDC} USDC on: held by a contract until you approve, ${ESCROW_FEE_BPS / 100n}% fee`,
} as const satisfies Rail

const railsByMethod: Record<PaymentMethod, Rail> = { X402: x402Rail, ESCROW: escrowRail }

export const railOf = (method: PaymentMethod): Rail => railsByMethod[method]

/** The direct one first. */
export const rails: readonly Rail[] = paymentMethods.map(railOf)

/** What a client may ask for besides the price. */
export interface RailWish {
  buyerProtection?: boolean | undefined
}

/** The price decides. Below the threshold a client may ask for escrow all the same, as buyer protection. */
export const railFor = (priceMicro: bigint, { buyerProtection = false }: RailWish = {}): Rail =>
  priceMicro < escrowRail.fromMicro && !buyerProtection ? x402Rail : escrowRail
