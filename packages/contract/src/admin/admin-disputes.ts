import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byWholeAccount } from '../base/key-rules.ts'
import {
  Address,
  DateTime,
  HexBytes,
  IdParams,
  limitQuery,
  nullableString,
  nullableTxHash,
  offsetQuery,
  oneOf,
  pageFields,
  TxHash,
} from '../base/shapes.ts'
import { Dispute } from '../jobs/job-outcomes.ts'
import { Job } from '../jobs/job-records.ts'
import { adminCall } from './admin-call.ts'

export const proposalStatuses = ['OPEN', 'SIGNED', 'EXECUTED', 'FAILED', 'REPLACED'] as const
export type ProposalStatus = (typeof proposalStatuses)[number]

/** A ruling as the Safe's owners sign it. The service proposes; only the multisig decides. */
export const SafeProposal = Type.Object(
  {
    safe: Type.String({ ...Address, description: 'The arbiter multisig.' }),
    to: Type.String({ ...Address, description: 'The escrow contract.' }),
    data: Type.String({ ...HexBytes, description: 'The encoded ruling.' }),
    nonce: Type.Integer({ minimum: 0, examples: [4] }),
    safeTxHash: Type.String({ ...TxHash, description: 'What the owners sign.' }),
    sellerBps: Type.Integer({ minimum: 0, maximum: 10_000, examples: [5000] }),
    confirmations: Type.Array(Address),
    threshold: Type.Integer({ minimum: 1, examples: [2] }),
    status: oneOf(proposalStatuses, {
      description:
        'OPEN: signatures are missing. SIGNED: enough are there, and the service carries it to the Safe. Then EXECUTED or FAILED. REPLACED: another share was proposed.',
      examples: ['OPEN'],
    }),
    failureReason: nullableString({
      description: 'Why it is FAILED, with the chain’s own word, and what to do.',
      examples: [
        'GIVEN_UP: the transaction did not get into a block for too long. Propose it again if the dispute is still open.',
      ],
    }),
    txHash: nullableTxHash('The transaction that executed it, or failed to.'),
    createdAt: DateTime,
  },
  { title: 'SafeProposal' },
)
export type SafeProposal = Static<typeof SafeProposal>

export const AdminDispute = Type.Object(
  {
    job: Job,
    dispute: Dispute,
    proposal: Type.Union([SafeProposal, Type.Null()]),
    failedProposal: Type.Union([SafeProposal, Type.Null()], {
      description: 'The last proposal, when it failed and no other has taken its place.',
    }),
  },
  { title: 'AdminDispute' },
)
export type AdminDispute = Static<typeof AdminDispute>

export const listDisputes = defineEndpoint({
  ...adminCall,
  id: 'listDisputes',
  method: 'GET',
  path: '/api/admin/disputes',
  summary: 'List disputes',
  description: 'Ordered by when they expire, soonest first.',
  query: Type.Object({
    status: Type.Optional(oneOf(['OPEN', 'CLOSED'], { description: 'Only this status.' })),
    limit: limitQuery(50),
    offset: offsetQuery(),
  }),
  status: 200,
  response: oneForm(
    Type.Object({ data: Type.Object({ disputes: Type.Array(AdminDispute), ...pageFields }) }),
  ),
  errors: [],
})

export const getDispute = defineEndpoint({
  ...adminCall,
  id: 'getDispute',
  method: 'GET',
  path: '/api/admin/disputes/{id}',
  summary: 'Read one dispute',
  description: 'By the job’s id.',
  params: IdParams,
  status: 200,
  response: oneForm(Type.Object({ data: AdminDispute })),
  errors: ['NOT_FOUND'],
})

export const proposeRuling = defineEndpoint({
  ...adminCall,
  id: 'proposeRuling',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/admin/disputes/{id}/ruling',
  refusesSuspended: true,
  summary: 'Propose a ruling',
  description:
    'Prepares the Safe transaction that splits the money. It takes effect once the multisig has signed and executed it. ' +
    'One that fails is shown as `failedProposal` with its reason, and may be proposed again.',
  params: IdParams,
  body: oneForm(
    Type.Object({
      sellerBps: Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description: 'The seller’s share in hundredths of a percent.',
        examples: [5000],
      }),
    }),
  ),
  status: 201,
  response: oneForm(Type.Object({ data: AdminDispute })),
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  examples: { body: { sellerBps: 5000 } },
})
