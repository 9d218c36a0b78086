import {
  cancelSubscription,
  getSubscription,
  listSubscriptions,
  quoteSubscription,
  subscribe,
  upgradeSubscription,
} from '@agent-marketplace/contract'
import { respondFromChain } from '../../house/steps.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type Route, route } from '../../platform/http/call.ts'
import { presentOrdered, presentQuote, presentSubscription } from './present.ts'
import type { SubscriptionsService } from './service.ts'
import type { SubscriptionRow } from './store.ts'

export function subscriptionsRoutes({ subscriptions }: { subscriptions: SubscriptionsService }): Route[] {
  return [
    route(getSubscription, async ({ principal, query }) => ({
      data: presentSubscription(
        await subscriptions.find(principal.ownerId, query.plan),
        await subscriptions.quotaOf(principal.ownerId),
      ),
    })),

    route(listSubscriptions, async ({ principal }) => {
      const granted = await subscriptions.quotaOf(principal.ownerId)
      const rows = await subscriptions.list(principal.ownerId)
      return { data: rows.map((row) => presentSubscription(row, granted)) }
    }),

    route(quoteSubscription, async ({ principal, query }) => {
      const { plan, agentQuota, account } = query
      const quote = await subscriptions.quote({ ownerId: principal.ownerId, plan, agentQuota, account })
      return { data: presentQuote(quote) }
    }),

    // What is kept under the Idempotency-Key is that the order was taken; every response then reports how it ended.
    route(subscribe, (call) => {
      const { principal, body, requestId } = call
      const steps = subscriptions.order({ ownerId: principal.ownerId, requestId, isUpgrade: false, body })
      return respondFromChain(call, steps, (row) => ({ data: presentOrdered(row) }))
    }),

    route(upgradeSubscription, (call) => {
      const { principal, body, requestId } = call
      const { ownerId } = principal
      const steps = subscriptions.order({ ownerId, requestId, isUpgrade: true, body })
      const present = async (row: SubscriptionRow, tx?: Transaction) => ({
        data: presentSubscription(row, await subscriptions.quotaOf(ownerId, tx)),
      })
      return respondFromChain(call, steps, present)
    }),

    route(cancelSubscription, async ({ principal, query, requestId, transaction }) =>
      transaction(async (tx) => {
        const asked = { ownerId: principal.ownerId, plan: query.plan, requestId }
        const row = await subscriptions.cancel(tx, asked)
        return { data: presentSubscription(row, await subscriptions.quotaOf(principal.ownerId, tx)) }
      }),
    ),
  ]
}
