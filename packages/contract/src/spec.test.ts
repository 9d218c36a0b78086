import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import * as contract from './index.ts'
import { allEndpoints, type Endpoint, errorTable } from './index.ts'

/** The interface specification's own names and numbers, written out once more, so that no declaration drifts from them. */

const specEndpoints = [
  ['POST', '/api/auth/request-nonce', 'public', 'auth', 200],
  ['POST', '/api/auth/verify-signature', 'public', 'auth', 200],
  ['POST', '/api/owners/register', 'owner', 'api', 200],
  ['GET', '/api/owners/me', 'owner', 'api', 200],
  ['GET', '/api/owners/earnings', 'owner', 'api', 200],
  ['GET', '/api/owners/subscription', 'owner', 'api', 200],
  ['POST', '/api/owners/subscription/onchain', 'verifiedSeller', 'api', 201],
  ['DELETE', '/api/owners/subscription/onchain', 'owner', 'api', 200],
  ['POST', '/api/owners/subscription/onchain/upgrade', 'verifiedSeller', 'api', 201],
  ['GET', '/api/agents', 'public', 'api', 200],
  ['GET', '/api/agents/search', 'public', 'search', 200],
  ['POST', '/api/agents', 'paidSeller', 'api', 201],
  ['GET', '/api/agents/{wallet}', 'public', 'api', 200],
  ['POST', '/api/jobs', 'owner', 'api', 201],
  ['GET', '/api/jobs/{id}', 'owner', 'api', 200],
  ['POST', '/api/x402/log', 'owner', 'api', 201],
  ['GET', '/api/x402/transactions', 'owner', 'api', 200],
  ['GET', '/api/notifications', 'owner', 'api', 200],
] as const

function find(method: string, path: string): Endpoint {
  const endpoint = allEndpoints.find((candidate) => candidate.method === method && candidate.path === path)
  if (!endpoint) throw new Error(`${method} ${path} is not declared`)
  return endpoint
}

test.each(specEndpoints)(
  '%s %s is for %s, counts as %s and returns %i',
  (method, path, access, rate, status) => {
    expect(find(method, path)).toMatchObject({ access, rate, status })
  },
)

interface Node {
  type?: unknown
  enum?: unknown[]
  items?: Node
  properties?: Record<string, Node>
  required?: string[]
}

/** The schema at a path of property names; `[]` goes into an array. */
function at(schema: TSchema | undefined, ...path: string[]): Node {
  return path.reduce<Node>(
    (node, name) => (name === '[]' ? node.items : node.properties?.[name]) ?? {},
    schema ?? {},
  )
}

function formOf(method: string, path: string, form: 'a' | 'b'): TSchema {
  const { response } = find(method, path)
  if (response.kind === 'raw') throw new Error(`${path} has no schema`)
  return response.kind === 'one' ? response.schema : response[form]
}

const words = (text: string) => text.split(' ')

const ownerFields = 'id walletAddress email kycStatus kycFeePaid isAdmin accountStatus createdAt'
const agentFields =
  'id walletAddress name description category avatarUrl hourlyRateUsdc averageRating totalJobs approvalStatus'
const subscriptionFields =
  'id plan status agentQuota paymentRail subscriberAddress currentPeriodEnd nextEligibleAt lastPullAt createdAt'
const jobFields =
  'id agentId clientId title description status paymentMethod agreedPrice platformFee netAmount deliveryCid createdAt deadlineAt'
const transactionFields = 'id agentId ownerId txHash amountMicroUsdc chainId createdAt'

const responses: [string, string, 'a' | 'b', string[], string][] = [
  ['POST', '/api/auth/request-nonce', 'a', ['data'], 'nonce expiresAt'],
  ['POST', '/api/auth/verify-signature', 'a', [], 'owner csrfToken'],
  ['POST', '/api/auth/verify-signature', 'a', ['owner'], ownerFields],
  ['POST', '/api/auth/verify-signature', 'b', ['data'], 'token csrfToken owner'],
  ['POST', '/api/auth/verify-signature', 'b', ['data', 'owner'], 'id walletAddress entityName kycStatus'],
  ['POST', '/api/owners/register', 'b', ['data'], 'owner kycSessionId kycUrl'],
  ['GET', '/api/owners/me', 'a', ['owner'], ownerFields],
  [
    'GET',
    '/api/owners/me',
    'b',
    ['data'],
    'entityType entityName agentCount totalEarned availableBalance agents',
  ],
  ['GET', '/api/owners/me', 'b', ['data', 'agents', '[]'], agentFields],
  ['GET', '/api/owners/earnings', 'b', ['data'], 'earnings summary'],
  [
    'GET',
    '/api/owners/earnings',
    'b',
    ['data', 'earnings', '[]'],
    'id source grossAmount platformFee netAmount',
  ],
  ['GET', '/api/owners/earnings', 'b', ['data', 'summary'], 'totalGross totalFees totalNet'],
  ['GET', '/api/owners/subscription', 'a', ['data'], subscriptionFields],
  ['POST', '/api/owners/subscription/onchain', 'a', ['data'], 'id plan status paymentRail nextEligibleAt'],
  ['POST', '/api/owners/subscription/onchain/upgrade', 'a', ['data'], subscriptionFields],
  ['GET', '/api/agents', 'a', [], 'data nextCursor'],
  ['GET', '/api/agents', 'a', ['data', '[]'], agentFields],
  ['GET', '/api/agents/search', 'b', ['data'], 'agents total limit offset'],
  ['POST', '/api/agents', 'a', ['data'], agentFields],
  ['POST', '/api/agents', 'b', ['data', 'agent'], 'id name walletAddress providerWalletId approvalStatus'],
  ['GET', '/api/agents/{wallet}', 'a', ['data'], agentFields],
  [
    'GET',
    '/api/agents/{wallet}',
    'b',
    ['data', 'agent'],
    `${agentFields} totalEarned services reviews reputation`,
  ],
  ['POST', '/api/jobs', 'a', ['data'], 'jobId status paymentMethod agreedPriceUsdc'],
  ['POST', '/api/jobs', 'b', ['data', 'job'], 'id paymentMethod status agreedPrice platformFee'],
  ['POST', '/api/jobs', 'b', ['data', 'paymentInfo'], 'method message'],
  ['GET', '/api/jobs/{id}', 'a', ['data'], jobFields],
  ['GET', '/api/jobs/{id}', 'b', ['data', 'job'], `${jobFields} client agent timeline delivery`],
  ['POST', '/api/x402/log', 'b', ['data', 'transaction'], 'id amount status createdAt'],
  ['GET', '/api/x402/transactions', 'a', ['data', '[]'], transactionFields],
  ['GET', '/api/x402/transactions', 'b', ['data'], 'transactions total limit offset'],
  ['GET', '/api/notifications', 'a', ['data'], 'notifications unreadCount total'],
  ['GET', '/api/notifications', 'a', ['data', 'notifications', '[]'], 'id type title message read createdAt'],
]

test.each(responses)('%s %s returns, in form %s at %j, %s', (method, path, form, place, fields) => {
  const node = at(formOf(method, path, form), ...place)
  expect(Object.keys(node.properties ?? {})).toEqual(expect.arrayContaining(words(fields)))
  expect(node.required).toEqual(expect.arrayContaining(words(fields)))
})

const bodies: [string, 'a' | 'b', string, string][] = [
  ['/api/auth/request-nonce', 'a', 'walletAddress', ''],
  ['/api/auth/verify-signature', 'a', 'walletAddress signature nonce', ''],
  [
    '/api/owners/register',
    'b',
    'entityType entityName country email',
    'legalAddress city state postalCode phoneNumber ein',
  ],
  ['/api/owners/subscription/onchain', 'a', 'plan permission signature', 'agentQuota'],
  ['/api/owners/subscription/onchain/upgrade', 'a', 'plan permission signature', 'agentQuota'],
  ['/api/agents', 'a', 'name description category hourlyRateUsdc', 'avatarUrl'],
  ['/api/agents', 'b', 'name type bio', 'skills services guardrails'],
  ['/api/jobs', 'a', 'agentId title description agreedPrice', 'category deadlineHours'],
  ['/api/jobs', 'b', 'agentId title description agreedPrice', 'category deadline attachments'],
  ['/api/x402/log', 'a', 'agentId txHash amountMicroUsdc', ''],
  ['/api/x402/log', 'b', 'payerWallet payeeWallet amount x402TxId', 'serviceName metadata'],
]

test.each(bodies)('POST %s takes in form %s: %s; and perhaps: %s', (path, form, required, optional) => {
  const { body } = find('POST', path)
  const schema: Node = (body?.kind === 'two' ? body[form] : body?.schema) ?? {}
  expect(schema.required).toEqual(expect.arrayContaining(words(required)))
  expect(schema.required).toHaveLength(words(required).length)
  expect(Object.keys(schema.properties ?? {})).toEqual(
    expect.arrayContaining(words(`${required} ${optional}`.trim())),
  )
})

test('a spend permission has nine fields, all required', () => {
  expect(contract.SpendPermission.required).toEqual(
    words('account spender token allowance period start end salt extraData'),
  )
})

describe('query parameters', () => {
  test.each([
    [
      '/api/owners/earnings',
      {
        agentId: {},
        startDate: {},
        endDate: {},
        source: { enum: ['ESCROW', 'X402'] },
        limit: { default: 50 },
        offset: { default: 0 },
      },
    ],
    [
      '/api/agents',
      {
        category: {},
        minReputation: { minimum: 0, maximum: 5 },
        limit: { minimum: 1, maximum: 100, default: 20 },
        cursor: {},
      },
    ],
    [
      '/api/agents/search',
      {
        q: {},
        type: {},
        skills: {},
        minRating: { type: 'number', minimum: 0, maximum: 5 },
        maxPrice: { type: 'string' },
        x402Enabled: { type: 'boolean' },
        // The sorts of how agents deliver came later.
        sort: { enum: expect.arrayContaining(['rating', 'price', 'jobs', 'earned', 'newest']) },
        limit: { default: 20 },
        offset: { default: 0 },
      },
    ],
    [
      '/api/x402/transactions',
      { agentId: {}, wallet: {}, startDate: {}, endDate: {}, limit: { default: 50 }, offset: { default: 0 } },
    ],
    [
      '/api/notifications',
      { unreadOnly: { type: 'boolean', default: false }, limit: { default: 20 }, offset: { default: 0 } },
    ],
  ])('GET %s', (path, parameters) => {
    const { query } = find('GET', path)
    expect(query?.properties).toMatchObject(parameters)
    expect(query).not.toHaveProperty('required')
  })
})

test('the enums have the spec’s values', () => {
  expect(contract.kycStatuses).toEqual(['PENDING', 'IN_REVIEW', 'VERIFIED', 'REJECTED'])
  expect(contract.accountStatuses).toEqual(['ACTIVE', 'SUSPENDED', 'DEACTIVATED'])
  expect(contract.subscriptionPlans).toEqual(['AGENT_QUOTA', 'PREMIUM_LISTING', 'API_ACCESS', 'ENTERPRISE'])
  expect(contract.subscriptionStatuses).toEqual(['ACTIVE', 'PAST_DUE', 'CANCELED', 'TRIALING'])
  expect(contract.paymentRails).toEqual(['ONCHAIN'])
  expect(contract.approvalStatuses).toEqual(['PENDING', 'APPROVED', 'REJECTED'])
  expect(contract.jobStatuses).toEqual([
    'PENDING',
    'IN_PROGRESS',
    'UNDER_REVIEW',
    'COMPLETED',
    'DISPUTED',
    'CANCELLED',
  ])
  expect(contract.paymentMethods).toEqual(['X402', 'ESCROW'])
  expect(contract.earningSources).toEqual(['ESCROW', 'X402'])
  expect(contract.agentSorts.slice(0, 5)).toEqual(['rating', 'price', 'jobs', 'earned', 'newest'])
  expect(contract.notificationTypes).toContain('WALLET_PROVISIONED')
})

test('the enums are the ones that the records use', () => {
  expect(contract.Owner.properties).toMatchObject({
    kycStatus: { enum: contract.kycStatuses },
    accountStatus: { enum: contract.accountStatuses },
  })
  expect(contract.Subscription.properties).toMatchObject({
    plan: { enum: contract.subscriptionPlans },
    status: { enum: contract.subscriptionStatuses },
    paymentRail: { enum: contract.paymentRails },
  })
  expect(contract.Agent.properties).toMatchObject({ approvalStatus: { enum: contract.approvalStatuses } })
  expect(contract.Job.properties).toMatchObject({
    status: { enum: contract.jobStatuses },
    paymentMethod: { enum: contract.paymentMethods },
  })
})

test('each error code has its status', () => {
  expect(Object.fromEntries(Object.entries(errorTable).map(([code, { status }]) => [code, status]))).toEqual({
    VALIDATION_ERROR: 400,
    PRICE_MISMATCH: 400,
    UNAUTHORIZED: 401,
    PAYMENT_REQUIRED: 402,
    BUDGET_EXCEEDED: 402,
    FORBIDDEN: 403,
    KYC_REQUIRED: 403,
    AGENT_QUOTA_EXCEEDED: 403,
    NOT_FOUND: 404,
    NOT_ACCEPTABLE: 406,
    REQUEST_TIMEOUT: 408,
    INVALID_STATE: 409,
    IDEMPOTENCY_CONFLICT: 409,
    CONFLICT: 409,
    PAYLOAD_TOO_LARGE: 413,
    UNSUPPORTED_MEDIA_TYPE: 415,
    RANGE_NOT_SATISFIABLE: 416,
    MISDIRECTED_REQUEST: 421,
    INSUFFICIENT_BALANCE: 422,
    RATE_LIMIT_EXCEEDED: 429,
    HEADERS_TOO_LARGE: 431,
    INTERNAL_ERROR: 500,
    UNAVAILABLE: 503,
  })
})

test('the limits are the spec’s', () => {
  expect(contract.rateLimitsPerMinute).toEqual({ auth: 10, api: 100, search: 200 })
  expect(contract.publicLimits).toMatchObject({
    freeTierAgents: 1,
    escrowThreshold: '100000000',
    amlFlag: '5000000000',
    reviewPeriodSeconds: 604_800,
  })
  expect(contract.publicFees).toMatchObject({ escrowBps: 200, x402Bps: 0 })
})

describe('bodies that the spec bounds', () => {
  const job = {
    agentId: 'cmi0a1b2c3d4e5f6g7h8i9j0k',
    title: 'x'.repeat(80),
    description: 'd',
    agreedPrice: '1',
  }
  const { JobCreateA, JobCreateB, SubscribeRequest } = contract

  test('a title has at most 80 characters', () => {
    expect(Check(JobCreateA, job)).toBe(true)
    expect(Check(JobCreateA, { ...job, title: 'x'.repeat(81) })).toBe(false)
  })

  test('deadlineHours is at least 1', () => {
    expect(Check(JobCreateA, { ...job, deadlineHours: 1 })).toBe(true)
    expect(Check(JobCreateA, { ...job, deadlineHours: 0 })).toBe(false)
  })

  test('two deadlines fit neither form', () => {
    const both = { ...job, deadlineHours: 1, deadline: '2030-01-01T00:00:00Z' }
    expect([Check(JobCreateA, both), Check(JobCreateB, both)]).toEqual([false, false])
  })

  test.each(['0', '-1', '1.5', '01', '1000000000000001', 100])('agreedPrice %j is refused', (agreedPrice) => {
    expect(Check(JobCreateA, { ...job, agreedPrice })).toBe(false)
  })

  test('agentQuota is at least 1', () => {
    const request = contract.subscribe.examples?.body
    expect(Check(SubscribeRequest, request)).toBe(true)
    expect(Check(SubscribeRequest, { ...Object(request), agentQuota: 0 })).toBe(false)
  })

  test.each(['0x', '0x12', `0x${'g'.repeat(40)}`, `${'a'.repeat(42)}`, `0x${'a'.repeat(41)}`])(
    'wallet %s is refused',
    (wallet) => {
      expect(Check(contract.WalletParams, { wallet })).toBe(false)
    },
  )
})
