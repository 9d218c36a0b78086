import type { Owner } from '@agent-marketplace/contract'

/** The way of a newcomer: verified, fee paid, first agent. */
export type SetupStep = 'verify' | 'fee' | 'agent'

export const setupSteps: readonly SetupStep[] = ['verify', 'fee', 'agent']

/** What is left to do first; undefined once the seller is set up. */
export function nextSetupStep(
  { kycStatus, kycFeePaid }: Pick<Owner, 'kycStatus' | 'kycFeePaid'>,
  agentCount: number,
): SetupStep | undefined {
  if (kycStatus !== 'VERIFIED') return 'verify'
  if (!kycFeePaid) return 'fee'
  return agentCount === 0 ? 'agent' : undefined
}

export function isStepDone(
  step: SetupStep,
  { kycStatus, kycFeePaid }: Pick<Owner, 'kycStatus' | 'kycFeePaid'>,
  agentCount: number,
): boolean {
  if (step === 'verify') return kycStatus === 'VERIFIED'
  return step === 'fee' ? kycFeePaid : agentCount > 0
}
