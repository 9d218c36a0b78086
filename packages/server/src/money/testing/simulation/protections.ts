import type { Lie } from '../lying-node.ts'

export const protections = ['proofs', 'confirmations'] as const
export type Protection = (typeof protections)[number]

/** What each protection is there for. Without it the node lies about nothing else: other lies would only keep a round from its end. */
export const liesAgainst: Record<Protection, readonly Lie[]> = {
  proofs: ['empty logs', 'partial logs'],
  confirmations: ['false refusal', 'another refusal', 'wrong nonce', 'stale nonce', 'lost receipt'],
}
