import type { Alert } from '../../money/audit/alert.ts'
import type { Intents } from '../../money/intents/intents.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { Notify } from '../../platform/notices/notice.ts'
import type { ChainPort } from '../../ports/chain/port.ts'

/** What subscriptions need from the rest of the service. */
export interface SubscriptionsDeps {
  db: Database
  /** Business time: periods and retries follow it. */
  clock: Clock
  newId: NewId
  chain: Pick<ChainPort, 'facts' | 'checksumAddress' | 'spendPermissions' | 'usdc'>
  intents: Pick<Intents, 'create' | 'waitFor' | 'kick'>
  notify: Notify
  alert: Alert
  walletOf: (db: Queryable, ownerId: string) => Promise<string>
  /** Pauses the youngest agents beyond the quota, or resumes what a lower quota had paused. */
  fitAgentsToQuota: (tx: Transaction, ownerId: string) => Promise<void>
  setPremiumUntil: (tx: Transaction, ownerId: string, until: Date | null) => Promise<void>
  /** How long subscribe and upgrade wait for their payment. */
  settlementWaitMs?: number
}
