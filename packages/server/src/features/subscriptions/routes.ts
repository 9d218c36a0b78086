import {
  cancelSubscription,
  getSubscription,
  listSubscriptions,
  quoteSubscription,
  subscribe,
  upgradeSubscription,
} from '@agent-marketplace/contract'
import type { Transaction } from '../../platform/db/transaction.ts'
import { type Route, route, WithStatus } from '../../platform/http/call.ts'
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
    route(subscribe, async ({ principal, body, requestId, transaction }) => {
      const input = { ownerId: principal.ownerId, requestId, isUpgrade: false }
      const order = await subscriptions.check(input, body)
      await transaction(async (tx) => ({ data: presentOrdered(await subscriptions.place(tx, order)) }))
      const { isPending, row } = await subscriptions.conclude(order)
      const response = { data: presentOrdered(row) }
      return isPending ? new WithStatus(202, response) : response
    }),

    route(upgradeSubscription, async ({ principal, body, requestId, transaction }) => {
      const input = { ownerId: principal.ownerId, requestId, isUpgrade: true }
      const order = await subscriptions.check(input, body)
      const present = async (row: SubscriptionRow, tx?: Transaction) => ({
        data: presentSubscription(row, await subscriptions.quotaOf(principal.ownerId, tx)),
      })
      await transaction(async (tx) => present(await subscriptions.place(tx, order), tx))
      const { isPending, row } = await subscriptions.conclude(order)
      const response = await present(row)
      return isPending ? new WithStatus(202, response) : response
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
