/**
 * The steps at which a crash must lose nothing and double nothing. Tests stop the engine at each of them; in production
 * reaching one does nothing.
 */
export const faultPoints = [
  'intent.claimed',
  'transaction.storing',
  'transaction.stored',
  'transaction.sent',
  'replacement.stored',
  'settlement.read',
  'settlement.storing',
  'settlement.stored',
  'rollback.storing',
  'rollback.stored',
] as const

export type FaultPoint = (typeof faultPoints)[number]

export interface Faults {
  reach(point: FaultPoint): Promise<void> | void
}

export const noFaults: Faults = { reach: () => {} }
