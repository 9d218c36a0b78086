import { Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byWholeAccount } from '../base/key-rules.ts'
import {
  Address,
  Id,
  nullableDateTime,
  nullableInteger,
  nullableString,
  oneOf,
  ReportedAmount,
} from '../base/shapes.ts'
import { subscriptionPlans } from '../money/pricing.ts'
import { TypedData } from './signing.ts'
import {
  exampleSubscribe,
  PlanInput,
  paymentRails,
  QuotaInput,
  SpendPermission,
  SubscribeRequest,
  Subscription,
  subscriptionStatuses,
} from './subscription-records.ts'

const planQuery = Type.Object({
  plan: Type.Optional(
    oneOf(subscriptionPlans, { description: 'Without it: AGENT_QUOTA, or else the newest plan.' }),
  ),
})

export const getSubscription = defineEndpoint({
  id: 'getSubscription',
  method: 'GET',
  path: '/api/owners/subscription',
  tag: 'Subscriptions',
  summary: 'Read your subscription',
  description: 'NOT_FOUND without an active subscription: that is the free tier, with one agent.',
  access: 'owner',
  rate: 'api',
  query: planQuery,
  status: 200,
  response: oneForm(Type.Object({ data: Subscription })),
  errors: ['NOT_FOUND'],
})

export const listSubscriptions = defineEndpoint({
  id: 'listSubscriptions',
  method: 'GET',
  path: '/api/owners/subscriptions',
  tag: 'Subscriptions',
  summary: 'List your subscriptions',
  description: 'One for each plan that runs, or was cancelled and still lasts. Empty on the free tier.',
  access: 'owner',
  rate: 'api',
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(Subscription) })),
  errors: [],
})

export const quoteSubscription = defineEndpoint({
  id: 'quoteSubscription',
  method: 'GET',
  path: '/api/owners/subscription/quote',
  tag: 'Subscriptions',
  summary: 'Get a price and what to sign for it',
  description:
    'The price of a plan, what would be charged now, and the typed data that subscribe and upgrade expect to be signed.',
  access: 'owner',
  rate: 'api',
  query: Type.Object({
    plan: PlanInput,
    agentQuota: Type.Optional(QuotaInput),
    account: Type.Optional(
      Type.String({
        ...Address,
        description:
          'The smart account that will pay. Without it: the one that paid last, or else your wallet.',
      }),
    ),
  }),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        plan: oneOf(subscriptionPlans),
        agentQuota: nullableInteger({ examples: [25] }),
        upgrade: Type.Boolean({
          description: 'True when you have this plan already and would raise its quota.',
        }),
        price: Type.String({ ...ReportedAmount, description: 'Per period, in micro-units.' }),
        chargeNow: Type.String({
          ...ReportedAmount,
          description: 'What would be pulled now, in micro-units.',
        }),
        permission: SpendPermission,
        typedData: TypedData,
        payer: Type.Object({
          isReady: Type.Boolean({ description: 'Whether payments can already be pulled from the account.' }),
          advice: nullableString({
            description: 'What to do if not: an externally owned account needs a smart wallet as well.',
          }),
        }),
      }),
    }),
  ),
  errors: ['CONFLICT'],
})

export const subscribe = defineEndpoint({
  id: 'subscribe',
  keys: { scopes: [], money: 'uncapped' },
  method: 'POST',
  path: '/api/owners/subscription/onchain',
  tag: 'Subscriptions',
  summary: 'Subscribe to a plan',
  description:
    'Takes a signed spend permission and pulls the first period at once. When that fails there is no subscription and the ' +
    'response is INSUFFICIENT_BALANCE. The allowance must equal the price, or the response is PRICE_MISMATCH.',
  access: 'verifiedSeller',
  rate: 'api',
  refusesSuspended: true,
  body: oneForm(SubscribeRequest),
  status: 201,
  otherStatuses: [202],
  response: oneForm(
    Type.Object({
      data: Type.Object({
        id: Id,
        plan: oneOf(subscriptionPlans, { examples: ['AGENT_QUOTA'] }),
        status: oneOf(subscriptionStatuses, { examples: ['ACTIVE'] }),
        paymentRail: oneOf(paymentRails, { examples: ['ONCHAIN'] }),
        nextEligibleAt: nullableDateTime('When the next pull may run.'),
      }),
    }),
  ),
  errors: ['PRICE_MISMATCH', 'INSUFFICIENT_BALANCE', 'CONFLICT'],
  examples: { body: exampleSubscribe },
})

export const cancelSubscription = defineEndpoint({
  id: 'cancelSubscription',
  keys: byWholeAccount,
  method: 'DELETE',
  path: '/api/owners/subscription/onchain',
  tag: 'Subscriptions',
  summary: 'Cancel your subscription',
  description:
    'No further pulls; the permission is revoked on chain on a best-effort basis. Access lasts until `currentPeriodEnd`. Then agents ' +
    'beyond the free tier are paused, the oldest stays, and re-subscribing resumes them.',
  access: 'owner',
  rate: 'api',
  query: planQuery,
  status: 200,
  response: oneForm(Type.Object({ data: Subscription })),
  errors: ['NOT_FOUND'],
})

export const upgradeSubscription = defineEndpoint({
  id: 'upgradeSubscription',
  keys: { scopes: [], money: 'uncapped' },
  method: 'POST',
  path: '/api/owners/subscription/onchain/upgrade',
  tag: 'Subscriptions',
  summary: 'Raise your agent quota',
  description:
    'Pulls the price difference for the rest of the running period through the new permission, then raises the quota. When ' +
    'the pull fails the old quota stays. There is no downgrade: cancel and subscribe again.',
  access: 'verifiedSeller',
  rate: 'api',
  refusesSuspended: true,
  body: oneForm(SubscribeRequest),
  status: 201,
  otherStatuses: [202],
  response: oneForm(Type.Object({ data: Subscription })),
  errors: ['PRICE_MISMATCH', 'INSUFFICIENT_BALANCE', 'NOT_FOUND', 'INVALID_STATE'],
  examples: {
    body: {
      ...exampleSubscribe,
      agentQuota: 50,
      permission: { ...exampleSubscribe.permission, allowance: '41000000' },
    },
  },
})
