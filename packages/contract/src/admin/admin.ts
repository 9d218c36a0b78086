import { type Static, type TSchema, Type } from 'typebox'
import { AgentDetail, approvalStatuses } from '../agents/agent-records.ts'
import { AgentQuestion } from '../agents/questions.ts'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byWholeAccount } from '../base/key-rules.ts'
import { NOTE_MAX_LENGTH } from '../base/lengths.ts'
import {
  DateTime,
  FreeObject,
  Id,
  IdParams,
  limitQuery,
  nullableDateTime,
  nullableString,
  offsetQuery,
  oneOf,
  PathId,
  pageFields,
  ReportedAmount,
  text,
} from '../base/shapes.ts'
import { Job } from '../jobs/job-records.ts'
import { accountStatuses, kycStatuses, RegisteredOwner } from '../owners/owners.ts'
import { adminCall } from './admin-call.ts'

/** Calls for the admins of the marketplace. Each one that changes something is written to the audit log. */

const page = { limit: limitQuery(50), offset: offsetQuery() }
const Reason = Type.Object({
  reason: text(NOTE_MAX_LENGTH, {
    description: 'Sent to the owner and kept in the audit log.',
    examples: ['The description copies another agent.'],
  }),
})
const exampleReason = { reason: 'The description copies another agent.' }

const decision = <S extends TSchema>(input: {
  id: string
  path: string
  summary: string
  description: string
  response: S
}) =>
  defineEndpoint({
    ...adminCall,
    id: input.id,
    keys: byWholeAccount,
    method: 'POST',
    path: input.path,
    refusesSuspended: true,
    summary: input.summary,
    description: input.description,
    params: IdParams,
    body: oneForm(Reason),
    status: 200,
    response: oneForm(Type.Object({ data: input.response })),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    examples: { body: exampleReason },
  })

export const adminListAgents = defineEndpoint({
  ...adminCall,
  id: 'adminListAgents',
  method: 'GET',
  path: '/api/admin/agents',
  summary: 'List agents for approval',
  description: 'Oldest first, so that nobody waits twice.',
  query: Type.Object({
    approvalStatus: Type.Optional(oneOf(approvalStatuses, { description: 'Only this status.' })),
    ...page,
  }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Object({ agents: Type.Array(AgentDetail), ...pageFields }) })),
  errors: [],
})

export const approveAgent = defineEndpoint({
  ...adminCall,
  id: 'approveAgent',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/admin/agents/{id}/approve',
  refusesSuspended: true,
  summary: 'Approve an agent',
  description: 'It is listed from then on. A rejected agent may be approved later.',
  params: IdParams,
  status: 200,
  response: oneForm(Type.Object({ data: AgentDetail })),
  errors: ['NOT_FOUND', 'INVALID_STATE'],
})

export const rejectAgent = decision({
  id: 'rejectAgent',
  path: '/api/admin/agents/{id}/reject',
  summary: 'Reject an agent',
  description: 'It cannot be listed or hired. Running jobs go on.',
  response: AgentDetail,
})

export const adminListOwners = defineEndpoint({
  ...adminCall,
  id: 'adminListOwners',
  method: 'GET',
  path: '/api/admin/owners',
  summary: 'List owners',
  description: 'Newest first.',
  query: Type.Object({
    q: Type.Optional(
      Type.String({ maxLength: 200, description: 'A wallet address, or part of a name or email.' }),
    ),
    kycStatus: Type.Optional(oneOf(kycStatuses, { description: 'Only this status.' })),
    accountStatus: Type.Optional(oneOf(accountStatuses, { description: 'Only this status.' })),
    ...page,
  }),
  status: 200,
  response: oneForm(
    Type.Object({ data: Type.Object({ owners: Type.Array(RegisteredOwner), ...pageFields }) }),
  ),
  errors: [],
})

export const suspendOwner = decision({
  id: 'suspendOwner',
  path: '/api/admin/owners/{id}/suspend',
  summary: 'Suspend an owner',
  description: 'A suspended owner reads and finishes running jobs, but opens none and withdraws nothing.',
  response: RegisteredOwner,
})

export const reinstateOwner = decision({
  id: 'reinstateOwner',
  path: '/api/admin/owners/{id}/reinstate',
  summary: 'Reinstate an owner',
  description: 'Makes a suspended or deactivated account ACTIVE again.',
  response: RegisteredOwner,
})

export const deactivateOwner = decision({
  id: 'deactivateOwner',
  path: '/api/admin/owners/{id}/deactivate',
  summary: 'Deactivate an owner',
  description: 'A deactivated owner may do nothing at all. Money in agents’ wallets stays theirs.',
  response: RegisteredOwner,
})

export const AmlFlag = Type.Object(
  {
    id: Id,
    job: Job,
    ownerId: Type.String({ ...Id, description: 'The buyer.' }),
    amount: ReportedAmount,
    status: oneOf(['OPEN', 'RESOLVED']),
    note: nullableString({ description: 'What the reviewer wrote.' }),
    createdAt: DateTime,
    resolvedAt: nullableDateTime('When it was resolved.'),
  },
  { title: 'AmlFlag' },
)
export type AmlFlag = Static<typeof AmlFlag>

export const listAmlFlags = defineEndpoint({
  ...adminCall,
  id: 'listAmlFlags',
  method: 'GET',
  path: '/api/admin/aml-flags',
  summary: 'List AML flags',
  description: 'Jobs of 5,000 USDC or more by buyers without verification. The flag blocks nothing.',
  query: Type.Object({
    status: Type.Optional(oneOf(['OPEN', 'RESOLVED'], { description: 'Only this status.' })),
    ...page,
  }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Object({ flags: Type.Array(AmlFlag), ...pageFields }) })),
  errors: [],
})

export const resolveAmlFlag = decision({
  id: 'resolveAmlFlag',
  path: '/api/admin/aml-flags/{id}/resolve',
  summary: 'Resolve an AML flag',
  description: 'Closes the review with a reason.',
  response: AmlFlag,
})

export const hideQuestion = decision({
  id: 'hideQuestion',
  path: '/api/admin/questions/{id}/hide',
  summary: 'Hide a question',
  description: 'Question and reply are hidden from everyone. Their authors are notified of the reason.',
  response: AgentQuestion,
})

export const AuditEntry = Type.Object(
  {
    id: Id,
    actorId: nullableString({ description: 'The owner who acted; null for the service itself.' }),
    action: Type.String({ examples: ['agent.approved'] }),
    subjectType: Type.String({ examples: ['agent'] }),
    subjectId: Type.String({ examples: ['cmi0a1b2c3d4e5f6g7h8i9j0k'] }),
    details: FreeObject,
    createdAt: DateTime,
  },
  { title: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

export const listAuditLog = defineEndpoint({
  ...adminCall,
  id: 'listAuditLog',
  method: 'GET',
  path: '/api/admin/audit-log',
  summary: 'Read the audit log',
  description: 'Newest first. Entries are never changed or removed.',
  query: Type.Object({ actorId: Type.Optional(PathId), subjectId: Type.Optional(PathId), ...page }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Object({ entries: Type.Array(AuditEntry), ...pageFields }) })),
  errors: [],
})
