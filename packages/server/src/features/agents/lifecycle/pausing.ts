import { lockOwner } from '../../../house/owner-record.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Notice, Notify } from '../../../platform/notices/notice.ts'
import { lockAgent } from '../lookup-store.ts'
import { ownedAgent } from '../ownership.ts'
import { type AgentQuota, checkQuota } from '../rules.ts'
import type { AgentRow } from '../store.ts'
import { countRunning, pauseBeyond, resumeWithin, savePremium } from './quota-store.ts'
import { savePause } from './state-store.ts'

export interface PausingDeps {
  clock: Clock
  notify: Notify
  quotaOf: (db: Queryable, ownerId: string) => Promise<AgentQuota>
  onListingChange: (tx: Transaction) => void
}

/** Pausing frees room in the quota, resuming needs it. Both are idempotent. */
export function createPausing(deps: PausingDeps) {
  const { notify, quotaOf, onListingChange } = deps

  return {
    async pause(tx: Transaction, wallet: string, ownerId: string): Promise<AgentRow> {
      const agent = await ownedAgent(tx, wallet, ownerId)
      if (agent.pausedBy === 'OWNER') return agent
      onListingChange(tx)
      return savePause(tx, agent.id, 'OWNER')
    },

    async resume(tx: Transaction, wallet: string, ownerId: string): Promise<AgentRow> {
      // Everyone takes the owner's lock before the agent's, so nobody waits in a circle.
      await lockOwner(tx, ownerId)
      const agent = await ownedAgent(tx, wallet, ownerId)
      if (agent.pausedBy === null) return agent
      if (agent.approvalStatus !== 'REJECTED') {
        checkQuota(await countRunning(tx, ownerId), await quotaOf(tx, ownerId))
      }
      onListingChange(tx)
      return savePause(tx, agent.id, null)
    },

    /** For an agent that does not deliver what it is sent. One that is paused already stays as it is. */
    async pauseAfterFailures(tx: Transaction, agentId: string, message: string): Promise<void> {
      const agent = await lockAgent(tx, agentId)
      if (!agent || agent.pausedBy !== null) return
      await savePause(tx, agentId, 'FAILURES')
      onListingChange(tx)
      const { ownerId, walletAddress: wallet } = agent
      const link = `/sell/agents/${wallet}/edit`
      await notify(tx, { ownerId, type: 'AGENT_PAUSED', title: 'Agent paused', message, link })
    },

    /** For a quota that shrank: the oldest keep running. */
    async pauseBeyond(tx: Transaction, ownerId: string, quota: number): Promise<void> {
      await lockOwner(tx, ownerId)
      const paused = await pauseBeyond(tx, ownerId, quota)
      if (paused.length > 0) onListingChange(tx)
      await notify(
        tx,
        ...paused.map(({ name }): Notice => {
          const message = `${name} is paused: your plan allows ${quota} running.`
          return { ownerId, type: 'AGENT_PAUSED', title: 'Agent paused', message }
        }),
      )
    },

    /** For a quota that grew: the oldest come back first, and what the owner paused stays paused. */
    async resumeUpTo(tx: Transaction, ownerId: string, quota: number): Promise<void> {
      await lockOwner(tx, ownerId)
      const resumed = await resumeWithin(tx, ownerId, quota - (await countRunning(tx, ownerId)))
      if (resumed.length > 0) onListingChange(tx)
      await notify(
        tx,
        ...resumed.map(({ name }): Notice => {
          return { ownerId, type: 'AGENT_RESUMED', title: 'Agent resumed', message: `${name} runs again.` }
        }),
      )
    },

    async setPremiumUntil(tx: Transaction, ownerId: string, until: Date | null): Promise<void> {
      await savePremium(tx, ownerId, { until, isPremium: until !== null && until > deps.clock.now() })
      onListingChange(tx)
    },
  }
}
