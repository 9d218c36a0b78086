import type { AgentConnection } from '@agent-marketplace/contract'

/** The way from a new agent to its first test job. */
export const connectSteps = ['choose', 'run', 'test'] as const
export type ConnectStep = (typeof connectSteps)[number]

type Facts = Pick<AgentConnection, 'kind' | 'lastCall' | 'lastSeenAt'>

/** The agent runs as soon as it responds, whatever it says; it is tested once a call went well. */
export function isConnectStepDone(step: ConnectStep, { kind, lastCall, lastSeenAt }: Facts): boolean {
  if (step === 'choose') return kind !== 'MANUAL'
  const isTested = lastSeenAt !== null
  return step === 'test' ? isTested : isTested || (lastCall !== null && lastCall.responseStatus !== null)
}

/** What is left to do first; undefined once the agent is connected and tested. */
export const nextConnectStep = (facts: Facts): ConnectStep | undefined =>
  connectSteps.find((step) => !isConnectStepDone(step, facts))
