import { DEADLINE_GRACE_SECONDS } from '@agent-marketplace/contract'
import { addSeconds } from '../../../../platform/clock/clock.ts'
import type { EscrowFacts } from '../escrow-facts.ts'
import { type EscrowEffect, escrowEffects } from './transitions.ts'

/**
 * A decision takes time to reach the chain, and until then others can be faster: the clock, a third party who releases, the
 * other side from its own wallet. This says which decisions may lose, and until when they must arrive.
 */

/** A decision whose time ends sooner than this is not reported as made until it is on chain. */
const CLOSE_SECONDS = 30 * 60

/** What one side claims against the other: never reported as made until it is on chain. */
const claims: readonly EscrowEffect[] = ['escrow.openDispute', 'escrow.claimMissedDeadline']

export function effectOf(intentKey: string): EscrowEffect {
  const effect = escrowEffects.find((name) => intentKey.startsWith(`${name}:`))
  if (effect === undefined) throw new Error(`${intentKey} is no order to the escrow`)
  return effect
}

export const isClaim = (intentKey: string): boolean => claims.includes(effectOf(intentKey))

/** From when on a delivery that is not there is missed. */
export const missedAtOf = (dueAt: Date | null): Date | null =>
  dueAt && addSeconds(dueAt, DEADLINE_GRACE_SECONDS)

/** The last moment at which the chain still takes it, or at which it can still not be overtaken; null when there is none. */
export function dueByOf(effect: EscrowEffect, facts: EscrowFacts): Date | null {
  switch (effect) {
    case 'escrow.openDispute':
    case 'escrow.requestChanges':
      return facts.state === 'SUBMITTED' ? timeOf(facts.reviewEndsAt) : null
    case 'escrow.submit': {
      const dueAt = facts.state === 'FUNDED' ? timeOf(facts.dueAt) : null
      return missedAtOf(dueAt)
    }
    case 'escrow.proposeSettlement':
    case 'escrow.acceptSettlement':
      return timeOf(facts.undecidedAt)
    default:
      return null
  }
}

/** Whether the caller must wait for the outcome on chain, and not only for the decision. */
export function mustBeConfirmed(effect: EscrowEffect, facts: EscrowFacts, now: Date): boolean {
  if (claims.includes(effect)) return true
  const dueBy = dueByOf(effect, facts)
  return dueBy !== null && dueBy <= addSeconds(now, CLOSE_SECONDS)
}

const timeOf = (unixSeconds: number | null): Date | null =>
  unixSeconds === null ? null : new Date(unixSeconds * 1000)
