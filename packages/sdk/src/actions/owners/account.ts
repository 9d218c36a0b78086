import type { OwnerProfile, OwnerRegistration, Subscription, Withdrawal } from '@agent-marketplace/contract'
import { action, whole } from '../../action.ts'
import type { BodyOf, CallOptions, MutationOptions, QueryOf } from '../../endpoints.ts'

const signalOf = ({ signal }: CallOptions = {}) => ({ signal })

/** The chain, the contracts, the limits, the fees and the plans. */
export const getConfig = action('getConfig', (options?: CallOptions) => signalOf(options), whole)

/** Who is signed in, and until when. */
export const getSession = action('getSession', (options?: CallOptions) => signalOf(options), whole)

/** Your account with its totals and agents. */
export const getMe = action(
  'getMe',
  (options?: CallOptions) => signalOf(options),
  (profile): OwnerProfile => profile,
)

/** Registers you as a seller. Finish the identity verification at `kycUrl`. */
export const registerOwner = action(
  'registerOwner',
  (body: OwnerRegistration, options: MutationOptions = {}) => ({ body, ...options }),
  whole,
)

/** One page of your earnings, with the totals of all that fit the filter. */
export const getEarnings = action(
  'listEarnings',
  (query: QueryOf<'listEarnings'> = {}, { signal }: CallOptions = {}) => ({ query, signal }),
  whole,
)

/** One page of what you spent, with the totals of all that fit the filter. */
export const getSpending = action(
  'listSpending',
  (query: QueryOf<'listSpending'> = {}, { signal }: CallOptions = {}) => ({ query, signal }),
  whole,
)

/** Your earnings by day, for charts. */
export const getEarningsSeries = action(
  'getEarningsSeries',
  (query: QueryOf<'getEarningsSeries'> = {}, { signal }: CallOptions = {}) => ({ query, signal }),
  whole,
)

/** Moves USDC from an agent's wallet to your own. The outcome comes as a notification. */
export const createWithdrawal = action(
  'createWithdrawal',
  (body: BodyOf<'createWithdrawal'>, options: MutationOptions = {}) => ({ body, ...options }),
  (withdrawal): Withdrawal => withdrawal,
)

/** One withdrawal. */
export const getWithdrawal = action(
  'getWithdrawal',
  (withdrawalId: string, { signal }: CallOptions = {}) => ({ params: { id: withdrawalId }, signal }),
  (withdrawal): Withdrawal => withdrawal,
)

/** Marks one notification as read. */
export const markNotificationRead = action(
  'markNotificationRead',
  (notificationId: string, options: MutationOptions = {}) => ({ params: { id: notificationId }, ...options }),
  whole,
)

/** Marks everything that is unread now. */
export const markAllNotificationsRead = action(
  'markAllNotificationsRead',
  (options: MutationOptions = {}) => ({ ...options }),
  whole,
)

/** Your subscription. NOT_FOUND means the free tier. */
export const getSubscription = action(
  'getSubscription',
  (query: QueryOf<'getSubscription'> = {}, { signal }: CallOptions = {}) => ({ query, signal }),
  (subscription): Subscription => subscription,
)

/** The price of a plan, what would be charged now, and what would be signed. */
export const quoteSubscription = action(
  'quoteSubscription',
  (query: QueryOf<'quoteSubscription'>, { signal }: CallOptions = {}) => ({ query, signal }),
  whole,
)

/** Ends the pulls. What is paid for stays open until `currentPeriodEnd`. */
export const cancelSubscription = action(
  'cancelSubscription',
  (query: QueryOf<'cancelSubscription'> = {}, { signal }: CallOptions = {}) => ({ query, signal }),
  (subscription): Subscription => subscription,
)
