import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { AgentQuota } from './access.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { subscriptionInvariants } from './invariants.ts'
import { subscriptionsRoutes } from './routes.ts'
import { createSubscriptionsService } from './service.ts'

const RENEWAL_SECONDS = 30

interface Deps extends Ground {
  owners: Pick<SubscriptionsDeps, 'walletOf'>
  agents: Pick<SubscriptionsDeps, 'setPremiumUntil'> & {
    pauseAgentsBeyond: (tx: Transaction, ownerId: string, quota: number) => Promise<unknown>
    resumeAgentsUpTo: (tx: Transaction, ownerId: string, quota: number) => Promise<unknown>
  }
  plans: { quotaOf: (db: Queryable, ownerId: string) => Promise<AgentQuota> }
}

/** Plans: what is paid for opens quota, premium listings and API keys. */
export function defineFeature(deps: Deps): Feature<undefined> {
  const { agents, owners, plans, timeOfBooks } = deps
  const subscriptions = createSubscriptionsService({
    ...deps,
    walletOf: owners.walletOf,
    setPremiumUntil: agents.setPremiumUntil,
    async fitAgentsToQuota(tx, ownerId) {
      const { quota } = await plans.quotaOf(tx, ownerId)
      await agents.pauseAgentsBeyond(tx, ownerId, quota)
      await agents.resumeAgentsUpTo(tx, ownerId, quota)
    },
  })
  const { intentKinds, eventHandlers, runDue, nextDueAt } = subscriptions
  return {
    api: undefined,
    routes: subscriptionsRoutes({ subscriptions }),
    intentKinds,
    eventHandlers,
    invariants: subscriptionInvariants,
    ticks: [
      {
        name: 'subscriptions',
        seconds: RENEWAL_SECONDS,
        handler: async (signal) => runDue({ signal, until: await timeOfBooks() }),
        nextDueAt,
      },
    ],
  }
}
