import {
  adminListAgents,
  adminListOwners,
  adminListWithdrawals,
  approveAgent,
  deactivateOwner,
  getActivity,
  getAdminHealth,
  hideQuestion,
  listAmlFlags,
  listAuditLog,
  reinstateOwner,
  rejectAgent,
  resolveAmlFlag,
  suspendOwner,
} from '@agent-marketplace/contract'
import { type OwnerRow, presentEntity } from '../../house/owner-record.ts'
import { type Route, route } from '../../platform/http/call.ts'
import { type AdminCall, actorOf } from './actor.ts'
import { disputeRoutes } from './disputes/routes.ts'
import { operationRoutes } from './operations/routes.ts'
import type { Decision } from './owners.ts'
import { presentAuditEntry, presentFlag } from './present.ts'
import type { AdminService } from './service.ts'

export function adminRoutes({ admin }: { admin: AdminService }): Route[] {
  const { owners, agents, aml, questions } = admin
  const ownerOf = (row: OwnerRow) => presentEntity(row, admin.isAdminWallet(row.walletAddress))

  return [
    route(adminListAgents, async ({ query }) => {
      const { approvalStatus, limit = 50, offset = 0 } = query
      const found = await agents.list({ approvalStatus, limit, offset })
      return { data: { ...found, limit, offset } }
    }),
    route(approveAgent, (call) =>
      call.transaction(async (tx) => ({
        data: await agents.approve(tx, { actor: actorOf(call), subjectId: call.params.id }),
      })),
    ),
    route(rejectAgent, (call) =>
      call.transaction(async (tx) => ({ data: await agents.reject(tx, decisionOf(call)) })),
    ),

    route(adminListOwners, async ({ query }) => {
      const { q, kycStatus, accountStatus, limit = 50, offset = 0 } = query
      const { rows, total } = await owners.list({ q, kycStatus, accountStatus, limit, offset })
      return { data: { owners: rows.map(ownerOf), total, limit, offset } }
    }),
    route(suspendOwner, (call) =>
      call.transaction(async (tx) => ({ data: ownerOf(await owners.suspend(tx, decisionOf(call))) })),
    ),
    route(reinstateOwner, (call) =>
      call.transaction(async (tx) => ({ data: ownerOf(await owners.reinstate(tx, decisionOf(call))) })),
    ),
    route(deactivateOwner, (call) =>
      call.transaction(async (tx) => ({ data: ownerOf(await owners.deactivate(tx, decisionOf(call))) })),
    ),

    route(listAmlFlags, async ({ query }) => {
      const { status, limit = 50, offset = 0 } = query
      const { flags, total } = await aml.list({ status, limit, offset })
      return { data: { flags: flags.map(presentFlag), total, limit, offset } }
    }),
    route(resolveAmlFlag, (call) =>
      call.transaction(async (tx) => ({ data: presentFlag(await aml.resolve(tx, decisionOf(call))) })),
    ),

    route(hideQuestion, (call) =>
      call.transaction(async (tx) => ({ data: await questions.hide(tx, decisionOf(call)) })),
    ),

    ...disputeRoutes({ admin }),

    route(adminListWithdrawals, async ({ query }) => {
      const { ownerId, status, limit = 50, offset = 0 } = query
      const found = await admin.listWithdrawals({ ownerId, status, limit, offset })
      return { data: { ...found, limit, offset } }
    }),
    route(listAuditLog, async ({ query }) => {
      const { actorId, subjectId, limit = 50, offset = 0 } = query
      const { rows, total } = await admin.audit.list({ actorId, subjectId, limit, offset })
      return { data: { entries: rows.map(presentAuditEntry), total, limit, offset } }
    }),
    route(getActivity, async ({ query: { days = 30 } }) => ({ data: await admin.activity(days) })),
    route(getAdminHealth, async () => ({ data: await admin.health() })),
    ...operationRoutes(admin),
  ]
}

function decisionOf(call: AdminCall & { params: { id: string }; body: { reason: string } }): Decision {
  return { actor: actorOf(call), subjectId: call.params.id, reason: call.body.reason.trim() }
}
