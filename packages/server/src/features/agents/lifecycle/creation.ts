import { createHash } from 'node:crypto'
import { AppError, type createAgent, IDEMPOTENCY_KEY_LIFETIME_SECONDS } from '@agent-marketplace/contract'
import { lockOwner } from '../../../house/owner-record.ts'
import type { Steps } from '../../../house/steps.ts'
import type { Intents } from '../../../money/intents/intents.ts'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Call } from '../../../platform/http/call.ts'
import type { NewId } from '../../../platform/id/id.ts'
import type { Notify } from '../../../platform/notices/notice.ts'
import type { AgentWallet, WalletsPort } from '../../../ports/wallets/port.ts'
import { type AgentProfile, profileOf } from '../profile.ts'
import { type AgentQuota, checkQuota } from '../rules.ts'
import { type AgentRow, insertAgent } from '../store.ts'
import { askProvider } from './provider.ts'
import { countRunning, reserveAgentId } from './quota-store.ts'
import { registrationIntent } from './registration.ts'

export interface CreationDeps {
  db: Database
  clock: Clock
  newId: NewId
  wallets: Pick<WalletsPort, 'custody' | 'provision' | 'updateLimits'>
  intents: Pick<Intents, 'create'>
  notify: Notify
  /** How many agents the owner may run; 1 without a subscription. */
  quotaOf: (db: Queryable, ownerId: string) => Promise<AgentQuota>
  /** The owner's own wallet: the only one that an agent's wallet pays. */
  walletOf: (db: Queryable, ownerId: string) => Promise<string>
  /** Until when the owner's agents are listed as premium; null when they are not. */
  premiumUntilOf: (db: Queryable, ownerId: string) => Promise<Date | null>
  /** From then on the books record every transfer to and from the wallet. */
  watchWallet: (tx: Transaction, address: string) => Promise<void>
}

export interface CreationRequest {
  ownerId: string
  body: Call<typeof createAgent>['body']
  idempotencyKey: string | undefined
  requestId: string
}

/** What is known before the transaction: the profile, and the wallet where there was room for another agent. */
interface Prepared {
  agentId: string
  profile: AgentProfile
  wallet: AgentWallet | undefined
}

/**
 * Creating: the wallet is made first, and the decision stores the agent. The wallet belongs to the agent's id, and a request with an Idempotency-Key has its id reserved
 * first, so a retry after a crash finds its wallet. A wallet without an agent counts for nothing.
 */
export function createCreation(deps: CreationDeps) {
  const { db, clock, newId } = deps

  return ({ ownerId, body, idempotencyKey, requestId }: CreationRequest): Steps<Prepared, AgentRow> => ({
    async prepare() {
      const profile = profileOf(body, newId)
      const [current, { quota }] = await Promise.all([countRunning(db, ownerId), deps.quotaOf(db, ownerId)])
      // Whether the quota allows it is decided behind the Idempotency-Key: a repeated request gets its first response,
      // however full the quota is by now. Here it only spares the provider a useless wallet.
      if (current >= quota) return { agentId: newId(), profile, wallet: undefined }
      const agentId = idempotencyKey ? await reserve(ownerId, idempotencyKey, body) : newId()
      const perTxLimitMicro = profile.guardrails?.perTxLimitMicro ?? undefined
      const limits = { perTxLimitMicro, payees: [await deps.walletOf(db, ownerId)] }
      const wallet = await askProvider(() => deps.wallets.provision({ agentId, limits }))
      return { agentId, profile, wallet }
    },

    async decide(tx, { agentId, profile, wallet }) {
      await lockOwner(tx, ownerId)
      const quota = await deps.quotaOf(tx, ownerId)
      checkQuota(await countRunning(tx, ownerId), quota)
      if (!wallet) throw new AppError('UNAVAILABLE', { message: 'Your quota changed just now. Try again.' })
      const row = await insertAgent(tx, {
        id: agentId,
        ownerId,
        walletAddress: wallet.address,
        providerWalletId: wallet.walletId,
        profile,
        premiumUntil: await deps.premiumUntilOf(tx, ownerId),
        now: clock.now(),
      })
      await deps.watchWallet(tx, wallet.address)
      await deps.intents.create(tx, registrationIntent(agentId, { ownerId, quota: quota.quota }, requestId))
      await deps.notify(tx, {
        ownerId,
        type: 'WALLET_PROVISIONED',
        title: 'Wallet ready',
        message: `${row.name} has its own wallet now: ${row.walletAddress}.`,
        link: `/agents/${row.walletAddress}`,
      })
      return row
    },
  })

  function reserve(ownerId: string, key: string, body: CreationRequest['body']): Promise<string> {
    const now = clock.now()
    // The body is part of it: the same key with another body is refused later, and must not touch this wallet before.
    const requestHash = createHash('sha256')
      .update(`${key}\n${JSON.stringify(body)}`)
      .digest('base64url')
    const expired = addSeconds(now, -IDEMPOTENCY_KEY_LIFETIME_SECONDS)
    return reserveAgentId(db, { ownerId, requestHash, agentId: newId(), now, expired })
  }
}
