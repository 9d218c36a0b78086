import {
  type AgentSummary,
  AppError,
  MAX_SAVED_AGENTS,
  type SavedAgent,
  type SavedMark,
} from '@agent-marketplace/contract'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import * as store from './store.ts'

/**
 * Lists of saved agents. It promises: a list belongs to one owner and is seen by nobody else; it has at most
 * `MAX_SAVED_AGENTS` agents, each once; an agent that is hidden later stays in it.
 */
export interface SavedAgentsDeps {
  db: Queryable
  clock: Clock
  /** By its wallet in any letter case. */
  agentOf: (db: Queryable, idOrWallet: string) => Promise<{ id: string; walletAddress: string } | undefined>
  /** In any order, also those that lists do not show. */
  summariesByIds: (ids: readonly string[]) => Promise<AgentSummary[]>
}

export function createSavedAgents({ db, clock, agentOf, summariesByIds }: SavedAgentsDeps) {
  async function existing(queryable: Queryable, wallet: string) {
    const agent = await agentOf(queryable, wallet)
    if (!agent) throw new AppError('NOT_FOUND', { message: 'There is no agent with this wallet.' })
    return agent
  }

  return {
    async list(
      ownerId: string,
      page: { limit: number; offset: number },
    ): Promise<{ savedAgents: SavedAgent[]; walletAddresses: string[]; total: number }> {
      const rows = await store.listSaved(db, ownerId)
      const shown = rows.slice(page.offset, page.offset + page.limit)
      const summaries = await summariesByIds(shown.map(({ agentId }) => agentId))
      const summaryOf = new Map(summaries.map((summary) => [summary.id, summary]))
      return {
        savedAgents: shown.flatMap(({ agentId, savedAt, listed }) => {
          const agent = summaryOf.get(agentId)
          return agent ? [{ savedAt: savedAt.toISOString(), listed, agent }] : []
        }),
        walletAddresses: rows.map(({ walletAddress }) => walletAddress),
        total: rows.length,
      }
    },

    async save(tx: Transaction, ownerId: string, wallet: string): Promise<SavedMark> {
      const { id: agentId, walletAddress } = await existing(tx, wallet)
      await store.lockList(tx, ownerId)
      const isNew = !(await store.isSaved(tx, { ownerId, agentId }))
      if (isNew && (await store.countSaved(tx, ownerId)) >= MAX_SAVED_AGENTS) {
        throw new AppError('CONFLICT', {
          message: `You have saved ${MAX_SAVED_AGENTS} agents, which is the most. Remove one first.`,
        })
      }
      const savedAt = await store.insertSaved(tx, { ownerId, agentId, savedAt: clock.now() })
      return { walletAddress, savedAt: savedAt.toISOString() }
    },

    /** Whether it was in the list. */
    async remove(tx: Transaction, ownerId: string, wallet: string): Promise<boolean> {
      const { id: agentId } = await existing(tx, wallet)
      return store.deleteSaved(tx, { ownerId, agentId })
    },
  }
}

export type SavedAgents = ReturnType<typeof createSavedAgents>
