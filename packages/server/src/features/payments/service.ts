import type { Intents } from '../../money/intents/intents.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { Log } from '../../platform/log/log.ts'
import type { ChainPort } from '../../ports/chain/port.ts'
import type { Offer, PaymentsPort } from '../../ports/payments/port.ts'
import { buildOffer, mismatchOf, type OfferFacts } from './paid-calls/offers.ts'
import { createPaidCalls } from './paid-calls/paid-calls.ts'
import { readPayload } from './paid-calls/payment-payload.ts'
import type { GuestGasLimit } from './settling/guest-gas.ts'
import { createPayments } from './settling/payments.ts'

/** A signed payment is good for this long, and longer where the chain's clock runs ahead of the payer's. */
const PAYMENT_TIMEOUT_SECONDS = 300

export interface PaymentsServiceDeps {
  db: Database
  log: Log
  /** Real time. */
  clock: Clock
  /** The time of the chain, which the sandbox moves ahead. */
  chainClock: Clock
  newId: NewId
  port: PaymentsPort
  intents: Intents
  chain: Pick<ChainPort, 'facts' | 'reader' | 'checksumAddress' | 'isWalletFactory'>
  /** Reads the chain up to its head now, so that what is mined is in the books. */
  followChain: () => Promise<void>
  publicUrl: URL
  guestGas: GuestGasLimit
  endOfWaits: AbortSignal
  settlementWaitMs?: number
}

/** x402 payments, and the calls that are paid by them. */
export async function createPaymentsService(deps: PaymentsServiceDeps) {
  const { db, clock, chainClock, port, publicUrl } = deps
  const { contracts, usdc } = deps.chain.facts
  const offers: OfferFacts = {
    network: port.network,
    usdc: { address: contracts.usdc, name: usdc.name, version: usdc.version },
    timeoutSeconds() {
      const aheadMs = Math.max(0, chainClock.now().getTime() - clock.now().getTime())
      return PAYMENT_TIMEOUT_SECONDS + Math.round(aheadMs / 60_000) * 60
    },
  }
  const payments = await createPayments(deps)
  const wait = deps.settlementWaitMs === undefined ? {} : { settlementWaitMs: deps.settlementWaitMs }

  return {
    payments,
    paidCalls: createPaidCalls({ db, payments, verify: port.verify, offers, publicUrl, ...wait }),
    /** What a payer would be asked to sign, for listings. */
    offerFor: (terms: { payTo: string; amountMicro: bigint }): Offer => buildOffer(offers, terms),
    mismatchOf,
    readPayload,
  }
}

export type PaymentsService = Awaited<ReturnType<typeof createPaymentsService>>
