import type { AdminHealth, AdminWithdrawal, WithdrawalStatus } from '@agent-marketplace/contract'
import { createActivity } from './activity.ts'
import { type AgentApprovals, createAdminAgents } from './agents.ts'
import { type AmlDeps, createAml } from './aml.ts'
import { createAudit } from './audit.ts'
import { createDisputes, type DisputesDeps } from './disputes/disputes.ts'
import { rulingKind } from './disputes/ruling-kind.ts'
import { createOperations, type OperationsDeps } from './operations/operations.ts'
import { type AdminOwnersDeps, createAdminOwners } from './owners.ts'
import { createAdminQuestions, type QuestionModeration } from './questions.ts'
import { createRoleAudit } from './role-audit.ts'

export interface WithdrawalsPage {
  ownerId: string | undefined
  status: WithdrawalStatus | undefined
  limit: number
  offset: number
}

/**
 * The admins' console. It promises: every decision is stored, sent to its owner and written to the audit log
 * in one transaction, or nothing of it is; and no admin can move a job's money: that takes the Safe's owners.
 */
export interface AdminDeps
  extends Omit<AdminOwnersDeps, 'audit'>,
    Omit<AmlDeps, 'audit'>,
    Omit<DisputesDeps, 'audit'>,
    Omit<OperationsDeps, 'audit'> {
  db: DisputesDeps['db']
  agents: AgentApprovals
  questions: QuestionModeration
  isAdminWallet: (walletAddress: string) => boolean
  listWithdrawals: (page: WithdrawalsPage) => Promise<{ withdrawals: AdminWithdrawal[]; total: number }>
  workerHealth: () => Promise<AdminHealth['worker']>
  indexerHealth: () => Promise<AdminHealth['indexer']>
}

export function createAdminService(deps: AdminDeps) {
  const audit = createAudit(deps)
  return {
    owners: createAdminOwners({ ...deps, audit }),
    agents: createAdminAgents({ agents: deps.agents, audit }),
    aml: createAml({ ...deps, audit }),
    questions: createAdminQuestions({ questions: deps.questions, audit }),
    disputes: createDisputes({ ...deps, audit }),
    operations: createOperations({ ...deps, audit }),
    audit: { list: audit.list },
    activity: createActivity(deps),
    listWithdrawals: deps.listWithdrawals,
    /** To be registered with the money engine before it starts. */
    rulingKind: rulingKind({ safe: deps.safe, readArbiter: deps.readArbiter, audit }),
    /** Receives changes before the engine starts. */
    roleAudit: createRoleAudit(audit),
    planOf: deps.safe.planOf,
    isAdminWallet: deps.isAdminWallet,

    async health(): Promise<AdminHealth> {
      const [worker, indexer] = await Promise.all([deps.workerHealth(), deps.indexerHealth()])
      return { worker, indexer }
    },
  }
}

export type AdminService = ReturnType<typeof createAdminService>
