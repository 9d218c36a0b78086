import { type Static, Type } from 'typebox'
import { OwnAgent } from '../agents/agent-records.ts'
import { defineEndpoint, twoForms } from '../base/endpoint.ts'
import { DateTime, Id, nullableAddress, nullableString, oneOf, ReportedAmount } from '../base/shapes.ts'

export const kycStatuses = ['PENDING', 'IN_REVIEW', 'VERIFIED', 'REJECTED'] as const
export type KycStatus = (typeof kycStatuses)[number]
export const accountStatuses = ['ACTIVE', 'SUSPENDED', 'DEACTIVATED'] as const
export type AccountStatus = (typeof accountStatuses)[number]

const ownerFields = {
  id: Id,
  walletAddress: nullableAddress('The wallet that signs in, checksummed.'),
  email: nullableString({ examples: ['ada@example.com'] }),
  kycStatus: oneOf(kycStatuses, {
    description: 'Buyers may hire while PENDING; sellers need VERIFIED.',
    examples: ['VERIFIED'],
  }),
  kycFeePaid: Type.Boolean({ description: 'Signals seller intent. Pure buyers stay false.' }),
  isAdmin: Type.Boolean(),
  accountStatus: oneOf(accountStatuses, { examples: ['ACTIVE'] }),
  createdAt: DateTime,
}

const entityFields = {
  entityType: Type.String({ description: 'Given at registration; empty before.', examples: ['COMPANY'] }),
  entityName: Type.String({
    description: 'Given at registration; empty before.',
    examples: ['Analytical Engines Ltd'],
  }),
}

export const Owner = Type.Object(ownerFields, { title: 'Owner' })
export type Owner = Static<typeof Owner>

export const OwnerInAuth = Type.Object(
  {
    id: Id,
    walletAddress: ownerFields.walletAddress,
    entityName: entityFields.entityName,
    kycStatus: oneOf(kycStatuses),
  },
  { title: 'OwnerInAuth' },
)

export const RegisteredOwner = Type.Object({ ...ownerFields, ...entityFields }, { title: 'RegisteredOwner' })
export type RegisteredOwner = Static<typeof RegisteredOwner>

/** What only the owner reads of their own verification. */
const verificationFields = {
  kycUrl: nullableString({
    description:
      'Where to finish the verification, while `kycStatus` is IN_REVIEW. An expired address is replaced. Null ' +
      'otherwise, when the provider does not respond, and for API keys and connected apps.',
    examples: ['https://verify.example.com/s/6710c3e2a1b4'],
  }),
  kycRejectionReason: nullableString({
    description:
      'What the verification provider wants you to know, while `kycStatus` is REJECTED, or PENDING for another try. Null ' +
      'when it said nothing.',
    examples: ['The photo is too dark.'],
  }),
}

export const OwnAccount = Type.Object({ ...ownerFields, ...verificationFields }, { title: 'OwnAccount' })

export const OwnerProfile = Type.Object(
  {
    ...ownerFields,
    ...entityFields,
    ...verificationFields,
    agentCount: Type.Integer({ minimum: 0, examples: [1] }),
    totalEarned: Type.String({
      ...ReportedAmount,
      description: 'Net earnings of all agents so far, in micro-units.',
    }),
    availableBalance: Type.String({
      ...ReportedAmount,
      description: 'What can be withdrawn from all agents’ wallets now, in micro-units.',
    }),
    agents: Type.Array(OwnAgent),
  },
  { title: 'OwnerProfile' },
)
export type OwnerProfile = Static<typeof OwnerProfile>

export const getMe = defineEndpoint({
  id: 'getMe',
  method: 'GET',
  path: '/api/owners/me',
  tag: 'Owners',
  summary: 'Read your own account',
  description:
    'The signed-in owner. Form A has the owner at top level; form B has the profile with totals and agents in `data`. ' +
    'While a verification runs, `kycUrl` is where it goes on; after a rejection `kycRejectionReason` says why.',
  access: 'owner',
  rate: 'api',
  status: 200,
  response: twoForms({ a: Type.Object({ owner: OwnAccount }), b: Type.Object({ data: OwnerProfile }) }),
  errors: [],
})
