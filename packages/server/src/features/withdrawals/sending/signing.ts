import { AppError } from '@agent-marketplace/contract'
import { IntentRejected } from '../../../money/intents/intents.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { SpendAuthorization, WalletLimits, WalletsPort } from '../../../ports/wallets/port.ts'
import { WALLET_REFUSED } from '../rules.ts'
import { findSigned } from '../store.ts'

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
    const { jobId, agentId, ownerId } = await findSigned(db, signing.withdrawalId)
    if (jobId === null) return sign(signing)
    const { walletId, authorization } = signing
    const limits = await limitsOf(db, { agentId, ownerId })
    // Refunds of one agent share a lane, so no other is signed at the same time and shut out by the end of this one.
    await wallets.updateLimits({
      walletId,
      limits: { ...limits, payees: [...(limits.payees ?? []), authorization.to] },
    })
    try {
      return await sign(signing)
    } finally {
      await wallets.updateLimits({ walletId, limits })
    }
  }
}
