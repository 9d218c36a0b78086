import { type Static, Type } from 'typebox'
import {
  Address,
  DateTime,
  HexBytes,
  Id,
  nullableAddress,
  nullableDateTime,
  nullableInteger,
  oneOf,
} from '../base/shapes.ts'
import { MAX_AGENT_QUOTA, subscriptionPlans } from '../money/pricing.ts'
import { Signature } from './signing.ts'

export const subscriptionStatuses = ['ACTIVE', 'PAST_DUE', 'CANCELED', 'TRIALING'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]
export const paymentRails = ['ONCHAIN'] as const

export const PlanInput = oneOf(subscriptionPlans, { description: 'Which plan.', examples: ['AGENT_QUOTA'] })
export const QuotaInput = Type.Integer({
  minimum: 1,
  maximum: MAX_AGENT_QUOTA,
  description: 'Required for AGENT_QUOTA: how many agents may run at once.',
  examples: [25],
})

export const Subscription = Type.Object(
  {
    id: Id,
    plan: oneOf(subscriptionPlans, { examples: ['AGENT_QUOTA'] }),
    status: oneOf(subscriptionStatuses, { examples: ['ACTIVE'] }),
    agentQuota: nullableInteger({
      description: 'The cap on agents that run at once; null for the other plans.',
      examples: [25],
    }),
    effectiveQuota: nullableInteger({
      description:
        'The cap that counts now, for AGENT_QUOTA: the largest of your paid plans, an older one that still lasts included. While a renewal is late, what was last paid for a whole period.',
      examples: [25],
    }),
    effectiveQuotaUntil: nullableDateTime(
      'Until when `effectiveQuota` is certain; null while a renewal is under way.',
    ),
    paymentRail: oneOf(paymentRails, { examples: ['ONCHAIN'] }),
    subscriberAddress: nullableAddress('The smart account that pays.'),
    currentPeriodEnd: nullableDateTime('Paid until then. After a cancellation, access lasts until then.'),
    nextEligibleAt: nullableDateTime('When the next pull may run.'),
    lastPullAt: nullableDateTime('When the last pull succeeded.'),
    createdAt: DateTime,
  },
  { title: 'Subscription' },
)
export type Subscription = Static<typeof Subscription>

const MAX_UINT48 = 2 ** 48 - 1

export const SpendPermission = Type.Object(
  {
    account: Type.String({ ...Address, description: 'The smart account that pays: your own.' }),
    spender: Type.String({ ...Address, description: 'The service’s spender, from `GET /api/config`.' }),
    token: Type.String({ ...Address, description: 'The USDC contract.' }),
    allowance: Type.String({
      pattern: '^(0|[1-9][0-9]{0,48})$',
      description: 'Most per period in micro-units. It must equal the plan’s price.',
      examples: ['22750000'],
    }),
    period: Type.Integer({
      minimum: 1,
      maximum: MAX_UINT48,
      description: 'Length of a period in seconds.',
      examples: [2592000],
    }),
    start: Type.Integer({
      minimum: 0,
      maximum: MAX_UINT48,
      description: 'Unix time in seconds.',
      examples: [1794730000],
    }),
    end: Type.Integer({
      minimum: 0,
      maximum: MAX_UINT48,
      description: 'Unix time in seconds.',
      examples: [281474976710655],
    }),
    salt: Type.String({
      pattern: '^[0-9]{1,78}$',
      description: 'A number as a decimal string.',
      examples: ['7'],
    }),
    extraData: Type.String({ ...HexBytes, maxLength: 10_000, examples: ['0x'] }),
  },
  {
    title: 'SpendPermission',
    description: 'All fields are required. Sign it as EIP-712 typed data of the SpendPermissionManager.',
  },
)
export type SpendPermission = Static<typeof SpendPermission>

export const SubscribeRequest = Type.Object(
  {
    plan: PlanInput,
    agentQuota: Type.Optional(QuotaInput),
    permission: SpendPermission,
    signature: Signature,
  },
  { title: 'SubscribeRequest' },
)
export type SubscribeRequest = Static<typeof SubscribeRequest>

export const exampleSubscribe = {
  plan: 'AGENT_QUOTA',
  agentQuota: 25,
  permission: {
    account: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    spender: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    allowance: '22750000',
    period: 2_592_000,
    start: 1_794_730_000,
    end: MAX_UINT48,
    salt: '7',
    extraData: '0x',
  },
  signature: `0x${'5c'.repeat(64)}1b`,
}
