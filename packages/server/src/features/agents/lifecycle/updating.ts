import type { AgentUpdate } from '@agent-marketplace/contract'
import type { Steps } from '../../../house/steps.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { WalletLimits } from '../../../ports/wallets/port.ts'
import { findAgent } from '../lookup-store.ts'
import { checkOwner, ownedAgent, unknownAgent } from '../ownership.ts'
import { changedProfile, type SpendLimits } from '../profile.ts'
import { type AgentRow, profileOfRow, saveProfile } from '../store.ts'
import type { CreationDeps } from './creation.ts'
import { askProvider } from './provider.ts'

export interface UpdatingDeps extends Pick<CreationDeps, 'newId' | 'walletOf' | 'wallets'> {
  db: Database
  existing: (wallet: string) => Promise<{ row: AgentRow }>
  onListingChange: (tx: Transaction) => void
}

/** Changes of a profile, and of what the agent's wallet may sign. */
export function createUpdating(deps: UpdatingDeps) {
  const { db, newId, existing, onListingChange } = deps

  /** What a wallet may sign at all times: to its owner, within the limit of its owner. */
  async function limitsFor(
    queryable: Queryable,
    ownerId: string,
    guardrails: SpendLimits | null,
  ): Promise<WalletLimits> {
    const payees = [await deps.walletOf(queryable, ownerId)]
    return { perTxLimitMicro: guardrails?.perTxLimitMicro ?? undefined, payees }
  }

  return {
    update: (wallet: string, ownerId: string, update: AgentUpdate): Steps<void, AgentRow> => ({
      /** The provider gets a new limit first: if it does not respond, nothing has changed. */
      async prepare() {
        const { row } = await existing(wallet)
        checkOwner(row, ownerId)
        const { guardrails } = changedProfile(profileOfRow(row), update, newId)
        if (!update.guardrails) return
        const limits = await limitsFor(db, ownerId, guardrails)
        const walletId = row.providerWalletId
        await askProvider(() => deps.wallets.updateLimits({ walletId, limits }))
      },
      async decide(tx) {
        const row = await ownedAgent(tx, wallet, ownerId)
        onListingChange(tx)
        return saveProfile(tx, row.id, changedProfile(profileOfRow(row), update, newId))
      },
    }),

    async walletLimitsOf(queryable: Queryable, { agentId, ownerId }: { agentId: string; ownerId: string }) {
      const row = await findAgent(queryable, agentId)
      if (!row) throw unknownAgent()
      return limitsFor(queryable, ownerId, profileOfRow(row).guardrails)
    },
  }
}
