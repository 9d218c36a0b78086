import type { AgentOf } from '../../house/agents.ts'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { x402Invariants } from './invariants.ts'
import { logRoutes } from './routes.ts'
import { createLogService, type LogDeps } from './service.ts'

interface Deps extends Ground {
  agents: { agentOf: AgentOf } & Pick<LogDeps, 'addPaymentToTotals'>
  owners: { ownerIdOf: (db: Queryable, wallet: string) => Promise<string | undefined> }
}

export function defineFeature({ db, clock, newId, chain, queue, agents, owners }: Deps): Feature<undefined> {
  const { agentOf, addPaymentToTotals } = agents
  const logs = createLogService({
    db,
    clock,
    newId,
    chain,
    queue,
    agentOf,
    addPaymentToTotals,
    ownerOfWallet: async (tx, wallet) =>
      (await owners.ownerIdOf(tx, wallet)) ?? (await agentOf(tx, wallet))?.ownerId,
  })
  const { tasks, eventHandlers } = logs
  return { api: undefined, routes: logRoutes({ logs }), tasks, eventHandlers, invariants: x402Invariants }
}
