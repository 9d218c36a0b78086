import type { AgentConnection, Owner } from '@agent-marketplace/contract'
import { isConnectStepDone } from '../connect/connect-steps.ts'

/** The way of a newcomer, from a wallet to the first sale. */
export const setupSteps = ['verify', 'fee', 'agent', 'connect', 'test', 'sale'] as const
export type SetupStep = (typeof setupSteps)[number]

export interface SetupFacts extends Pick<Owner, 'kycStatus' | 'kycFeePaid'> {
  agentCount: number
  /** Of the seller's agents. */
  connections: readonly Pick<AgentConnection, 'kind' | 'lastCall' | 'lastSeenAt' | 'dispatches'>[]
  /** Whether an agent has earned something. Who has sold needs no advice on how: by hand is a way too. */
  hasSold: boolean
}

export function isStepDone(step: SetupStep, facts: SetupFacts): boolean {
  const { kycStatus, kycFeePaid, agentCount, connections, hasSold } = facts
  switch (step) {
    case 'verify':
      return kycStatus === 'VERIFIED'
    case 'fee':
      return kycFeePaid
    case 'agent':
      return agentCount > 0
    case 'connect':
      return hasSold || connections.some((one) => one.kind !== 'MANUAL' && isConnectStepDone('run', one))
    case 'test':
      return hasSold || connections.some((one) => isConnectStepDone('test', one))
    case 'sale':
      return hasSold
  }
}

/** What is left to do first; undefined once all of it is done. */
export const nextSetupStep = (facts: SetupFacts): SetupStep | undefined =>
  setupSteps.find((step) => !isStepDone(step, facts))
