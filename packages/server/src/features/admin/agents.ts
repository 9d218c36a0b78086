import { type AgentDetail, AppError, type ApprovalStatus } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Actor, Audit } from './audit.ts'
import type { Decision } from './owners.ts'

/** Agents as the console handles them. A decision on an agent notifies its owner. */
export interface AgentApprovals {
  listAgentsForApproval(page: {
    approvalStatus: ApprovalStatus | undefined
    limit: number
    offset: number
  }): Promise<{ agents: AgentDetail[]; total: number }>
  /** Locks the agent until the transaction ends; undefined when there is none. */
  lockApprovalStatus(tx: Queryable, agentId: string): Promise<ApprovalStatus | undefined>
  approveAgent(tx: Transaction, agentId: string): Promise<AgentDetail>
  rejectAgent(tx: Transaction, agentId: string, reason: string): Promise<AgentDetail>
}

export function createAdminAgents({ agents, audit }: { agents: AgentApprovals; audit: Audit }) {
  async function statusOf(tx: Queryable, agentId: string): Promise<ApprovalStatus> {
    const status = await agents.lockApprovalStatus(tx, agentId)
    if (status === undefined) throw new AppError('NOT_FOUND', { message: 'There is no such agent.' })
    return status
  }

  return {
    list: agents.listAgentsForApproval,

    async approve(
      tx: Transaction,
      { actor, subjectId }: { actor: Actor; subjectId: string },
    ): Promise<AgentDetail> {
      const before = { approvalStatus: await statusOf(tx, subjectId) }
      const agent = await agents.approveAgent(tx, subjectId)
      const after = { approvalStatus: agent.approvalStatus }
      await audit.record(tx, actor, {
        action: 'agent.approved',
        subjectType: 'agent',
        subjectId,
        before,
        after,
      })
      return agent
    },

    async reject(tx: Transaction, { actor, subjectId, reason }: Decision): Promise<AgentDetail> {
      const before = { approvalStatus: await statusOf(tx, subjectId) }
      const agent = await agents.rejectAgent(tx, subjectId, reason)
      const after = { approvalStatus: agent.approvalStatus }
      await audit.record(tx, actor, {
        action: 'agent.rejected',
        subjectType: 'agent',
        subjectId,
        before,
        after,
        reason,
      })
      return agent
    },
  }
}
