import type { AgentOf } from '../../house/agents.ts'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { heldPaymentsInvariants } from './invariants.ts'
import { createHeldPayments } from './service.ts'

const CLAIM_SECONDS = 30

interface Deps extends Ground {
  agents: { agentOf: AgentOf }
  owners: { ownerIdOf: (db: Queryable, wallet: string) => Promise<string | undefined> }
}

export function defineFeature(deps: Deps): Feature<undefined> {
  const { agents, owners } = deps
  const { intentKinds, eventHandlers, runDue, nextDueAt } = createHeldPayments({
    ...deps,
    escrow: deps.chain.escrow,
    ownerOf: async (tx, wallet) =>
      (await agents.agentOf(tx, wallet))?.ownerId ?? (await owners.ownerIdOf(tx, wallet)),
  })
  return {
    api: undefined,
    intentKinds,
    eventHandlers,
    ticks: [{ name: 'held-payments', seconds: CLAIM_SECONDS, handler: runDue, nextDueAt }],
    invariants: heldPaymentsInvariants,
  }
}
