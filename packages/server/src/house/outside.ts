import type { Config } from '../config/config.ts'
import type { MoneyEngineOptions } from '../money/engine.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Connection } from '../platform/db/connection.ts'
import type { Database } from '../platform/db/database.ts'
import type { OwnWrites } from '../platform/db/replicas/own-writes.ts'
import type { Replicas } from '../platform/db/replicas/replicas.ts'
import type { RateLimiter } from '../platform/http/limits/rate-limit.ts'
import type { Log } from '../platform/log/log.ts'
import type { GuardedCall } from '../platform/outbound/guarded-call.ts'
import type { ChainPort, SandboxChain } from '../ports/chain/port.ts'
import type { EmbeddingsPort } from '../ports/embeddings/port.ts'
import type { KycPort, SandboxKyc } from '../ports/kyc/port.ts'
import type { PaymentsPort } from '../ports/payments/port.ts'
import type { StoragePort } from '../ports/storage/port.ts'
import type { WalletsPort } from '../ports/wallets/port.ts'

/** The outside world, already connected. `adapters.ts` chooses the adapters; tests bring their own clocks and databases. */
export interface AppDeps {
  config: Config
  log: Log
  accessLog: Log
  connection: Connection
  db: Database
  /** How often the database fell silent, and its connections were cut. */
  silences: () => number
  /** Its own pool with a short statement timeout, so that a slow search holds nothing else up. */
  searchDb: Database
  /** Undefined where everything is read from the primary. */
  replicas: Replicas | undefined
  /** How far owners have written; with replicas alone. */
  ownWrites: OwnWrites
  /** Sessions, nonces, limits and logs run on real time; deadlines and periods on the business clock. */
  wallClock: Clock
  clock: Clock
  limiter: RateLimiter
  chain: ChainPort
  kyc: KycPort
  payments: PaymentsPort
  storage: StoragePort
  wallets: WalletsPort
  /** Undefined where search goes by words alone. */
  embeddings: EmbeddingsPort | undefined
  /** Where the built web page lies, if it was built. */
  webDirectory: string | undefined
  /** Only with the embedded chain, and there only the parts that are embedded. */
  sandbox:
    | {
        chain: SandboxChain
        kyc: SandboxKyc | undefined
        /** Throws everything away and starts over; only where all of it is embedded. */
        reset: (() => void) | undefined
      }
    | undefined
  /** Where the money engine differs from its defaults. */
  moneyOptions?: Pick<MoneyEngineOptions, 'settings' | 'faults'>
  /** How long a call waits for the chain before its response is 202; each feature has its own default. */
  settlementWaitMs?: number
  /** Where the live feeds of this process differ from their defaults. */
  streamLimits?: StreamLimits
  /** How long a webhook's receiver may take for its response. */
  webhookTimeoutMs?: number
  /** The pause between two looks for the result of a test job. */
  trialPauseMs?: number
  /** How the documents of OAuth clients are fetched; by itself from public addresses alone. */
  callForDocument?: GuardedCall
  /** How long a search waits to learn what is close in meaning. */
  meaningWaitMs?: number
}

/** How much the live feeds of one process may take. */
export interface StreamLimits {
  heartbeatMs?: number
  /** Of this process: each open stream costs a connection and memory. */
  maxStreams?: number
  maxStreamsPerAddress?: number
  maxStreamsPerOwner?: number
  /** A client that has let more than this wait is dropped; it comes back and is sent the rest. */
  maxWaitingBytes?: number
  /** How many missed notifications a returning client is sent at most; the list has the older ones. */
  replayLimit?: number
}
