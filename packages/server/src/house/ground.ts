import type { MoneyEngine } from '../money/engine.ts'
import type { Intents } from '../money/intents/intents.ts'
import type { Downloads } from '../platform/csv/downloads.ts'
import type { Drain } from '../platform/http/drain.ts'
import type { NewId } from '../platform/id/id.ts'
import type { Notify } from '../platform/notices/notice.ts'
import type { Queue } from '../platform/queue/queue.ts'
import type { Sealer } from '../platform/sealing/sealer.ts'
import type { Alert } from './alerts.ts'
import type { HappeningBoard } from './happenings.ts'
import type { AppDeps } from './outside.ts'

/** What every feature may build on: the outside world, and what belongs to no feature. */
export interface Base extends AppDeps {
  newId: NewId
  queue: Queue
  happenings: HappeningBoard
  downloads: Downloads
  drain: Drain
  adminWallets: ReadonlySet<string>
  isAdminWallet: (walletAddress: string) => boolean
  sealers: { webhooks: Sealer; connections: Sealer; personalData: Sealer }
}

/** The same once owners can be notified and money can move. */
export interface Ground extends Base {
  notify: Notify
  alert: Alert
  money: MoneyEngine
  intents: Intents
  /** Reads the chain up to its head now, so that what is mined is in the books. */
  followChain: () => Promise<void>
  /** Who receives fees now. */
  treasury: () => Promise<string>
  /** The time up to which the books know the chain. */
  timeOfBooks: () => Promise<Date>
}
