import { type Static, Type } from 'typebox'
import { WalletCustody } from '../agents/agent-records.ts'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byWholeAccount } from '../base/key-rules.ts'
import { Address, DateTime, nullableString, oneOf, ReportedAmount } from '../base/shapes.ts'
import { subscriptionPlans } from '../money/pricing.ts'

export const modes = ['sandbox', 'production'] as const
export type Mode = (typeof modes)[number]

const Seconds = Type.Integer({ minimum: 0 })
const Count = Type.Integer({ minimum: 0 })

const WalletConnect = Type.Object({
  projectId: Type.String({ examples: ['2f05ae7f1116030fde2d36508f472bfb'] }),
  relayUrl: Type.String({ examples: ['wss://relay.walletconnect.org'] }),
})

export const PlatformConfig = Type.Object(
  {
    mode: oneOf(modes, { examples: ['sandbox'] }),
    now: Type.String({
      ...DateTime,
      description: 'The time that deadlines and periods run on. In the sandbox it can be moved.',
    }),
    chain: Type.Object({
      id: Type.Integer({ description: 'EIP-155 chain id.', examples: [8453] }),
      name: Type.String({ examples: ['Base'] }),
      rpcUrl: Type.String({
        description: 'In the sandbox the server’s own `/rpc`.',
        examples: ['https://mainnet.base.org'],
      }),
      explorerUrl: nullableString({
        description: 'Null where the chain has no explorer.',
        examples: ['https://basescan.org'],
      }),
    }),
    contracts: Type.Object({
      usdc: Address,
      escrow: Address,
      agentRegistry: Address,
      reputationRegistry: Address,
      spendPermissionManager: Address,
      arbiter: Type.String({ ...Address, description: 'The multisig that rules on disputes.' }),
      treasury: Type.String({ ...Address, description: 'Where platform fees go.' }),
    }),
    usdc: Type.Object({
      address: Address,
      name: Type.String({ description: 'Of the EIP-712 domain.', examples: ['USD Coin'] }),
      version: Type.String({ description: 'Of the EIP-712 domain.', examples: ['2'] }),
      decimals: Type.Integer({ examples: [6] }),
    }),
    spender: Type.String({ ...Address, description: 'The account that a spend permission must name.' }),
    wallets: Type.Object(
      {
        walletConnect: Type.Union([WalletConnect, Type.Null()], {
          description: 'Null where wallets on other devices cannot be connected.',
        }),
        passkeyFactory: nullableString({
          description: 'What creates the passkey wallets of a sandbox. Null elsewhere.',
        }),
        onrampUrl: nullableString({
          description:
            'Where USDC is bought with other money; `{address}` stands for the wallet that it is sent to.',
          examples: ['https://pay.example/buy?asset=USDC&network=base&address={address}'],
        }),
      },
      { description: 'Ways to get in and to get USDC that a page can offer.' },
    ),
    custody: WalletCustody,
    limits: Type.Object({
      requestsPerMinute: Type.Object({ auth: Count, search: Count, api: Count }),
      maxBodyBytes: Count,
      maxAmount: ReportedAmount,
      freeTierAgents: Count,
      maxAgentQuota: Count,
      escrowThreshold: Type.String({
        ...ReportedAmount,
        description: 'From this price on a job is paid through escrow.',
      }),
      amlFlag: Type.String({
        ...ReportedAmount,
        description: 'From this price on jobs of unverified buyers are reviewed. Never blocks.',
      }),
      fundingPeriodSeconds: Seconds,
      reviewPeriodSeconds: Seconds,
      disputePeriodSeconds: Seconds,
      maxChangeRequests: Count,
    }),
    fees: Type.Object({
      escrowBps: Type.Integer({ description: 'Hundredths of a percent.', examples: [200] }),
      x402Bps: Type.Integer({ description: 'Always 0.', examples: [0] }),
      kycFee: ReportedAmount,
    }),
    plans: Type.Array(
      Type.Object({
        plan: oneOf(subscriptionPlans),
        price: nullableString({
          description: 'Micro-units per period; null for AGENT_QUOTA, which follows `tiers`.',
        }),
        tiers: Type.Array(Type.Object({ upToAgents: Count, pricePerAgent: ReportedAmount })),
      }),
    ),
  },
  { title: 'PlatformConfig' },
)
export type PlatformConfig = Static<typeof PlatformConfig>

export const getConfig = defineEndpoint({
  id: 'getConfig',
  method: 'GET',
  path: '/api/config',
  tag: 'Platform',
  summary: 'Read the platform’s settings',
  description:
    'The chain, the contracts, the limits, the fees and the plans: all that a client needs before it signs anything.',
  access: 'public',
  rate: 'api',
  status: 200,
  response: oneForm(Type.Object({ data: PlatformConfig })),
  errors: [],
})

export const receiveKycWebhook = defineEndpoint({
  id: 'receiveKycWebhook',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/webhooks/kyc',
  tag: 'Platform',
  summary: 'Receive the result of an identity verification',
  description:
    'Called by the identity-verification provider only. The HMAC of the raw body must be in `X-Payload-Digest`. Repeated ' +
    'and late messages change nothing.',
  access: 'public',
  rate: 'api',
  rawBody: true,
  headers: Type.Object({
    'X-Payload-Digest': Type.String({ description: 'HMAC-SHA256 of the raw body, in hex.' }),
  }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Object({ received: Type.Boolean() }) })),
  errors: ['UNAUTHORIZED'],
  examples: {
    body: {
      applicantId: '6710c3e2a1b4f0005d9e2c17',
      externalUserId: 'cmi0a1b2c3d4e5f6g7h8i9j0k',
      type: 'applicantReviewed',
      reviewResult: { reviewAnswer: 'GREEN' },
      createdAtMs: '2026-11-15 09:30:00.000',
    },
  },
})
