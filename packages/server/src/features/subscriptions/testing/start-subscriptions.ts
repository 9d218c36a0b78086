import { createTestDatabase } from '../../../testing/test-database.ts'
import {
  type SubscriptionsApi,
  type SubscriptionsOptions,
  startSubscriptionsOn,
} from './start-subscriptions-on.ts'

export type { Subscriber, SubscriptionsApi } from './start-subscriptions-on.ts'

/** For tests: with a database of its own. */
export const startSubscriptions = async (options?: SubscriptionsOptions): Promise<SubscriptionsApi> =>
  startSubscriptionsOn(await createTestDatabase({ poolSize: 25 }), options)
