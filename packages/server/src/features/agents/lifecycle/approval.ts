import { AppError } from '@agent-marketplace/contract'
import { lockOwner } from '../../../house/owner-record.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Notice, Notify } from '../../../platform/notices/notice.ts'
import { findAgent, lockAgent } from '../lookup-store.ts'
import { type AgentQuota, checkDecision } from '../rules.ts'
import type { AgentRow } from '../store.ts'
import { countRunning } from './quota-store.ts'
import { saveApproval, savePause } from './state-store.ts'

export interface ApprovalDeps {
  notify: Notify
  quotaOf: (db: Queryable, ownerId: string) => Promise<AgentQuota>
  /** True: agents approve themselves once they are registered on chain. */
  approvesItself: boolean
  /** Lists and search will show something else once the transaction is committed. */
  onListingChange: (tx: Transaction) => void
}

export function createApproval(deps: ApprovalDeps) {
  const decide = async (
    tx: Transaction,
    agentId: string,
    decision: { status: 'APPROVED' | 'REJECTED'; reason: string | null },
  ): Promise<AgentRow> => {
    const known = await findAgent(tx, agentId)
    // Everyone takes the owner's lock before the agent's, so nobody waits in a circle.
    if (known?.approvalStatus === 'REJECTED') await lockOwner(tx, known.ownerId)
    const found = await lockAgent(tx, agentId)
    if (!found) throw new AppError('NOT_FOUND', { message: 'There is no such agent.' })
    checkDecision(found.approvalStatus, decision.status)
    const isBeyondQuota = found.approvalStatus === 'REJECTED' && (await hasNoRoom(tx, found.ownerId))
    const decided = await saveApproval(tx, agentId, decision)
    // A rejected agent used no quota, so that its place may be taken by now.
    const mustPause = isBeyondQuota && decided.pausedBy === null
    const agent = mustPause ? await savePause(tx, agentId, 'QUOTA') : decided
    deps.onListingChange(tx)
    await deps.notify(tx, noticeOf(agent))
    return agent
  }

  const hasNoRoom = async (tx: Transaction, ownerId: string): Promise<boolean> =>
    (await countRunning(tx, ownerId)) >= (await deps.quotaOf(tx, ownerId)).quota

  return {
    approve: (tx: Transaction, agentId: string) => decide(tx, agentId, { status: 'APPROVED', reason: null }),
    reject: (tx: Transaction, agentId: string, reason: string) =>
      decide(tx, agentId, { status: 'REJECTED', reason }),
    async onRegistered(tx: Transaction, agent: AgentRow): Promise<void> {
      if (!deps.approvesItself || agent.approvalStatus !== 'PENDING') return
      await decide(tx, agent.id, { status: 'APPROVED', reason: null })
    },
  }
}

function noticeOf(agent: AgentRow): Notice {
  const about = { ownerId: agent.ownerId, link: `/agents/${agent.walletAddress}` }
  if (agent.approvalStatus === 'APPROVED') {
    return {
      ...about,
      type: 'AGENT_APPROVED',
      title: 'Agent approved',
      message:
        agent.pausedBy === 'QUOTA'
          ? `${agent.name} is approved, but paused: your plan has no room for it.`
          : `${agent.name} is approved and can be found.`,
    }
  }
  return {
    ...about,
    type: 'AGENT_REJECTED',
    title: 'Agent rejected',
    message: `${agent.name} was rejected: ${agent.rejectionReason ?? 'no reason was given'}`,
  }
}
