import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byWholeAccount } from '../base/key-rules.ts'
import {
  FreeObject,
  Id,
  IdParams,
  limitQuery,
  nullableDateTime,
  nullableInteger,
  nullableString,
  offsetQuery,
  oneOf,
  PathId,
  pageFields,
} from '../base/shapes.ts'
import { Withdrawal, withdrawalStatuses } from '../payments/withdrawals.ts'
import { AdminDispute, SafeProposal } from './admin-disputes.ts'

/** What the console needs to carry a ruling to the Safe, and to see how the service itself does. */
const shared = { tag: 'Admin', access: 'admin', rate: 'api' } as const

export const RulingToSign = Type.Object(
  {
    proposal: SafeProposal,
    typedData: Type.Object(
      {
        domain: FreeObject,
        types: Type.Record(
          Type.String(),
          Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
        ),
        primaryType: Type.String({ examples: ['SafeTx'] }),
        message: FreeObject,
      },
      { description: 'EIP-712 typed data, ready for `eth_signTypedData_v4`.' },
    ),
  },
  { title: 'RulingToSign' },
)
export type RulingToSign = Static<typeof RulingToSign>

export const getRuling = defineEndpoint({
  ...shared,
  id: 'getRuling',
  method: 'GET',
  path: '/api/admin/disputes/{id}/ruling',
  summary: 'Read the proposed ruling as it is signed',
  description: 'By the job’s id. An owner of the Safe signs `typedData`.',
  params: IdParams,
  status: 200,
  response: oneForm(Type.Object({ data: RulingToSign })),
  errors: ['NOT_FOUND'],
})

export const confirmRuling = defineEndpoint({
  ...shared,
  id: 'confirmRuling',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/admin/disputes/{id}/ruling/confirmations',
  refusesSuspended: true,
  summary: 'Submit a signature for the ruling',
  description:
    'A signature of one of the Safe’s owners over the proposal’s typed data. With enough of them the service has the Safe execute it.',
  params: IdParams,
  body: oneForm(
    Type.Object({
      signature: Type.String({
        pattern: '^0x[a-fA-F0-9]{130}$',
        description: '65 bytes as 0x-prefixed hex.',
        examples: [`0x${'5c'.repeat(64)}1b`],
      }),
    }),
  ),
  status: 200,
  response: oneForm(Type.Object({ data: AdminDispute })),
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  examples: { body: { signature: `0x${'5c'.repeat(64)}1b` } },
})

export const AdminWithdrawal = Type.Object(
  { ...Withdrawal.properties, ownerId: Type.String({ ...Id, description: 'Whose it is.' }) },
  { title: 'AdminWithdrawal' },
)
export type AdminWithdrawal = Static<typeof AdminWithdrawal>

export const adminListWithdrawals = defineEndpoint({
  ...shared,
  id: 'adminListWithdrawals',
  method: 'GET',
  path: '/api/admin/withdrawals',
  summary: 'List withdrawals of all owners',
  description: 'Newest first.',
  query: Type.Object({
    ownerId: Type.Optional(PathId),
    status: Type.Optional(oneOf(withdrawalStatuses, { description: 'Only this status.' })),
    limit: limitQuery(50),
    offset: offsetQuery(),
  }),
  status: 200,
  response: oneForm(
    Type.Object({ data: Type.Object({ withdrawals: Type.Array(AdminWithdrawal), ...pageFields }) }),
  ),
  errors: [],
})

export const AdminHealth = Type.Object(
  {
    worker: Type.Object({
      deadLetters: Type.Integer({
        minimum: 0,
        description: 'Failed work and waits for a person.',
        examples: [0],
      }),
      waitingIntents: Type.Integer({
        minimum: 0,
        description: 'Decided, and not yet recorded on chain.',
        examples: [2],
      }),
    }),
    indexer: Type.Object({
      blockNumber: nullableInteger({ description: 'How far the chain was read.', examples: [1204] }),
      headNumber: nullableInteger({
        description: 'How far it goes; null when it does not respond.',
        examples: [1205],
      }),
      updatedAt: nullableDateTime('When it last moved.'),
      haltedReason: nullableString({ description: 'Why nothing is sent, if so.' }),
    }),
  },
  { title: 'AdminHealth' },
)
export type AdminHealth = Static<typeof AdminHealth>

export const getAdminHealth = defineEndpoint({
  ...shared,
  id: 'getAdminHealth',
  method: 'GET',
  path: '/api/admin/health',
  summary: 'See how the worker and the indexer are doing',
  description: 'What waits, what was given up, and how far the chain was read.',
  status: 200,
  response: oneForm(Type.Object({ data: AdminHealth })),
  errors: [],
})
