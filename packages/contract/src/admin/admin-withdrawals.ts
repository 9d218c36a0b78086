import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { Id, limitQuery, offsetQuery, oneOf, PathId, pageFields } from '../base/shapes.ts'
import { Withdrawal, withdrawalStatuses } from '../payments/withdrawals.ts'
import { adminCall } from './admin-call.ts'

export const AdminWithdrawal = Type.Object(
  { ...Withdrawal.properties, ownerId: Type.String({ ...Id, description: 'Whose it is.' }) },
  { title: 'AdminWithdrawal' },
)
export type AdminWithdrawal = Static<typeof AdminWithdrawal>

export const adminListWithdrawals = defineEndpoint({
  ...adminCall,
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
