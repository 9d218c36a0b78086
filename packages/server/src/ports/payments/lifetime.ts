import { wallClock } from '../../platform/clock/clock.ts'
import type { Offer, Payment } from './port.ts'

/** The payer's clock may be ahead of ours. */
const CLOCK_TOLERANCE_SECONDS = 60

/**
 * Whether an authorization is good for longer than was offered. Until it has ended nothing else can be paid for the same
 * thing, so one without an end would hold that thing forever. Payers sign by the real time, or by that of the sandbox's
 * chain.
 */
export function isOverlong(
  { validBefore }: Pick<Payment, 'validBefore'>,
  { maxTimeoutSeconds }: Pick<Offer, 'maxTimeoutSeconds'>,
  timeOfChain: (() => Date) | undefined,
): boolean {
  const nowMs = Math.max(wallClock.now().getTime(), timeOfChain?.().getTime() ?? 0)
  return validBefore > BigInt(Math.floor(nowMs / 1000) + maxTimeoutSeconds + CLOCK_TOLERANCE_SECONDS)
}

/** In the words of the protocol. */
export const WRONG_END = 'invalid_exact_evm_payload_authorization_valid_before'
