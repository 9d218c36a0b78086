import type { AgentConnection } from '@agent-marketplace/contract'

/** The way from a new agent to its first test job. */
export const connectSteps = ['choose', 'run', 'test'] as const
export type ConnectStep = (typeof connectSteps)[number]

type Facts = Pick<AgentConnection, 'kind' | 'lastCall' | 'lastSeenAt' | 'dispatches'>

/** The agent runs as soon as it responds, also to a probe; it is tested once it did a test job, or a real one. */
export function isConnectStepDone(step: ConnectStep, facts: Facts): boolean {
  const { kind, lastCall, lastSeenAt, dispatches } = facts
  if (step === 'choose') return kind !== 'MANUAL'
  if (step === 'run') return lastSeenAt !== null || (lastCall !== null && lastCall.responseStatus !== null)
  return lastCall?.ok === true || dispatches.some(({ state }) => state === 'DELIVERED')
}

/** What is left to do first; undefined once the agent is connected and tested. */
export const nextConnectStep = (facts: Facts): ConnectStep | undefined =>
  connectSteps.find((step) => !isConnectStepDone(step, facts))
