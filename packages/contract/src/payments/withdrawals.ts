import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import {
  Address,
  Amount,
  DateTime,
  Id,
  IdInput,
  IdParams,
  limitQuery,
  nullableDateTime,
  nullableString,
  nullableTxHash,
  offsetQuery,
  oneOf,
  PathId,
  pageFields,
  ReportedAmount,
} from '../base/shapes.ts'

export const withdrawalStatuses = ['REQUESTED', 'SUBMITTED', 'CONFIRMED', 'FAILED'] as const
export type WithdrawalStatus = (typeof withdrawalStatuses)[number]

export const Withdrawal = Type.Object(
  {
    id: Id,
    agentId: Id,
    amount: ReportedAmount,
    to: Type.String({ ...Address, description: 'Your own wallet.' }),
    status: oneOf(withdrawalStatuses, { examples: ['REQUESTED'] }),
    txHash: nullableTxHash('The transfer, once it was sent.'),
    failureReason: nullableString({ description: 'Why it FAILED. Nothing has left the wallet then.' }),
    reservedUntil: nullableDateTime(
      'Set after the chain has refused the transfer, while its signature could still be sent by somebody: until then the amount stays set aside.',
    ),
    createdAt: DateTime,
  },
  { title: 'Withdrawal' },
)
export type Withdrawal = Static<typeof Withdrawal>

export const createWithdrawal = defineEndpoint({
  id: 'createWithdrawal',
  keys: { scopes: ['sell'], money: 'uncapped' },
  method: 'POST',
  path: '/api/owners/withdrawals',
  tag: 'Withdrawals',
  summary: 'Withdraw from an agent’s wallet',
  description:
    'Moves USDC from the agent’s wallet to your own. The agent’s guardrails hold here too: an amount beyond them is FORBIDDEN. ' +
    'The transfer follows at once; its outcome arrives as a notification.',
  access: 'verifiedSeller',
  rate: 'api',
  refusesSuspended: true,
  body: oneForm(Type.Object({ agentId: IdInput, amount: Amount })),
  status: 201,
  response: oneForm(Type.Object({ data: Withdrawal })),
  errors: ['NOT_FOUND', 'INSUFFICIENT_BALANCE'],
  examples: { body: { agentId: 'cmi0a1b2c3d4e5f6g7h8i9j0k', amount: '147000000' } },
})

export const listWithdrawals = defineEndpoint({
  id: 'listWithdrawals',
  method: 'GET',
  path: '/api/owners/withdrawals',
  tag: 'Withdrawals',
  summary: 'List your withdrawals',
  description: 'Newest first.',
  access: 'owner',
  rate: 'api',
  query: Type.Object({
    agentId: Type.Optional(PathId),
    status: Type.Optional(oneOf(withdrawalStatuses, { description: 'Only this status.' })),
    limit: limitQuery(50, 1000),
    offset: offsetQuery(),
  }),
  status: 200,
  response: oneForm(
    Type.Object({ data: Type.Object({ withdrawals: Type.Array(Withdrawal), ...pageFields }) }),
  ),
  errors: [],
})

export const getWithdrawal = defineEndpoint({
  id: 'getWithdrawal',
  method: 'GET',
  path: '/api/owners/withdrawals/{id}',
  tag: 'Withdrawals',
  summary: 'Read one withdrawal',
  description: 'Your own ones only.',
  access: 'owner',
  rate: 'api',
  params: IdParams,
  status: 200,
  response: oneForm(Type.Object({ data: Withdrawal })),
  errors: ['NOT_FOUND'],
})
