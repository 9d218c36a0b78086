import { AppError } from '@agent-marketplace/contract'
import { IntentRejected } from '../../money/intents/intents.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { SpendAuthorization, WalletLimits, WalletsPort } from '../../ports/wallets/port.ts'
import { WALLET_REFUSED } from './rules.ts'
import { findSigned, listOpenPayees } from './store.ts'

export interface SigningDeps {
  db: Queryable
  wallets: Pick<WalletsPort, 'signTransfer' | 'updateLimits'>
  /** What the wallet may do at all times. */
  limitsOf: (db: Queryable, agent: { agentId: string; ownerId: string }) => Promise<WalletLimits>
}

interface Signing {
  withdrawalId: string
  walletId: string
  authorization: SpendAuthorization
}

export type SignTransfer = (signing: Signing) => Promise<`0x${string}`>

/**
 * Signs a transfer with an agent's wallet. The provider that holds the keys lets it pay its owner alone; for
 * a refund the payer is allowed, too, while the signature is made.
 */
export function createSigning({ db, wallets, limitsOf }: SigningDeps): SignTransfer {
  const sign = async ({ walletId, authorization }: Signing) => {
    try {
      return await wallets.signTransfer({ walletId, authorization })
    } catch (error) {
      const isRefused =
        error instanceof AppError && (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND')
      throw isRefused ? new IntentRejected(WALLET_REFUSED) : error
    }
  }

  return async (signing) => {
    const { job_id, agent_id: agentId, owner_id: ownerId } = await findSigned(db, signing.withdrawalId)
    if (job_id === null) return sign(signing)
    const { walletId, authorization } = signing
    const limits = await limitsOf(db, { agentId, ownerId })
    // Another refund of the same agent may be signed at the same time, and must not be shut out.
    const others = await listOpenPayees(db, { agentId, besides: signing.withdrawalId })
    const allow = (payees: readonly string[]) =>
      wallets.updateLimits({
        walletId,
        limits: { ...limits, payees: [...new Set([...(limits.payees ?? []), ...others, ...payees])] },
      })
    await allow([authorization.to])
    try {
      return await sign(signing)
    } finally {
      await allow([])
    }
  }
}
