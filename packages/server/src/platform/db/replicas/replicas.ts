import type { BaseLogger } from 'pino'
import { createCoalescedLookup } from '../../fast/coalesce.ts'
import type { Database } from '../database.ts'
import { sql } from '../sql.ts'
import { createLogHistory, type LogEnd } from './log-history.ts'
import { createLongBehind } from './long-behind.ts'

/** How new what is read must be. */
export interface Freshness {
  /** Everything up to this position in the primary's log. */
  position?: bigint | undefined
  /** Everything that was committed before this time of `performance.now()`. */
  sinceMs?: number | undefined
}

/** A position that no log reaches: only the primary will do. */
export const PRIMARY_ONLY = 2n ** 64n

export interface Replica {
  /** Host and port, for metrics. */
  readonly name: string
  readonly db: Database
}

interface Followed extends Replica {
  position: bigint
  /** When it had that position. */
  seenAtMs: number
  /** It shows everything that was committed before this time; undefined while it must not be used. */
  showsUntilMs: number | undefined
  /** At this position it was beyond the primary, so its log is another one. It is not used until it has moved. */
  foreignPosition: bigint | undefined
}

interface ReplicasOptions {
  primary: Pick<Database, 'one'>
  replicas: readonly Replica[]
  maxLagMs: number
  log: BaseLogger
  nowMs?: () => number
  /** How often all are asked how far they are. */
  checkMs?: number
}

export type Replicas = ReturnType<typeof createReplicas>

/**
 * Follows how far each replica has replayed the log of the primary. It promises: `pick` returns only a replica that shows
 * everything that is requested, and nothing older than the limit; one that cannot be reached is skipped until it can.
 */
export function createReplicas(options: ReplicasOptions) {
  const { primary, maxLagMs, log, nowMs = () => performance.now(), checkMs = 250 } = options
  const followed: Followed[] = options.replicas.map((replica) => ({
    ...replica,
    position: -1n,
    seenAtMs: Number.NEGATIVE_INFINITY,
    showsUntilMs: undefined,
    foreignPosition: undefined,
  }))
  const history = createLogHistory()
  const longBehind = createLongBehind(
    followed.map(({ name }) => name),
    nowMs(),
  )
  let report: (replica: string) => void = () => undefined
  let turn = 0
  let sentToPrimary = 0
  let timer: NodeJS.Timeout | undefined

  const isFresh = ({ showsUntilMs }: Followed): boolean =>
    showsUntilMs !== undefined && nowMs() - showsUntilMs <= maxLagMs

  const followPrimary = oneAtATime(async () => {
    const askedAtMs = nowMs()
    const end = await endOfLog(primary).catch(() => undefined)
    if (end === undefined) return
    const isSameLog = history.note(askedAtMs, end)
    for (const replica of followed) {
      if (!isSameLog) replica.showsUntilMs = undefined
      // No replica of this log can have been further than the primary is now.
      if (replica.seenAtMs <= askedAtMs && replica.position > end.position) refuse(replica)
    }
  })

  function refuse(replica: Followed): void {
    if (replica.foreignPosition !== replica.position)
      log.warn({ replica: replica.name }, 'replica has another log than the primary')
    replica.foreignPosition = replica.position
    replica.showsUntilMs = undefined
  }

  async function follow(replica: Followed): Promise<void> {
    try {
      const { position } = await replica.db.one<{ position: bigint | null }>(sql`
        select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::int8 as position where pg_is_in_recovery()`)
      replica.position = position ?? -1n
      replica.seenAtMs = nowMs()
      if (replica.position === replica.foreignPosition) return
      replica.foreignPosition = undefined
      const showsUntilMs = history.timeOf(replica.position)
      if (!isFresh(replica) && showsUntilMs !== undefined && nowMs() - showsUntilMs <= maxLagMs)
        log.info({ replica: replica.name }, 'replica is read')
      replica.showsUntilMs = showsUntilMs ?? replica.showsUntilMs
    } catch (error) {
      if (replica.showsUntilMs !== undefined)
        log.warn({ replica: replica.name, err: error }, 'replica cannot be reached')
      replica.showsUntilMs = undefined
    }
  }

  // Each by itself: one that hangs delays no other.
  const checks = followed.map((replica) => oneAtATime(() => follow(replica)))

  function reportBehind(): void {
    const fresh = new Set(followed.filter(isFresh).map(({ name }) => name))
    for (const name of longBehind(nowMs(), (one) => fresh.has(one))) report(name)
  }

  const findPosition = createCoalescedLookup({
    load: async (keys: 'now'[]) => {
      const { position } = await endOfLog(primary)
      return new Map(keys.map((key) => [key, position]))
    },
  })

  return {
    all: followed as readonly Replica[],
    maxLagMs,

    /** Looks at the primary, then at all replicas. */
    async check(): Promise<void> {
      await followPrimary()
      await Promise.all(checks.map((check) => check()))
      reportBehind()
    },

    /** Calls back once a replica could not be used for a minute. */
    onBehind(listener: (replica: string) => void): void {
      report = listener
    },

    /** Checks all of them regularly. */
    start(): void {
      const checkEach = () => {
        for (const check of [followPrimary, ...checks]) void check()
        reportBehind()
      }
      checkEach()
      timer = setInterval(checkEach, checkMs).unref()
    },

    /** In turn, one that is fresh enough; undefined where only the primary is. */
    pick({ position = -1n, sinceMs = Number.NEGATIVE_INFINITY }: Freshness = {}): Replica | undefined {
      const fit = followed.filter(
        (replica) =>
          isFresh(replica) && replica.position >= position && (replica.showsUntilMs ?? 0) >= sinceMs,
      )
      turn = (turn + 1) % 1_000_000
      const picked = fit[turn % fit.length]
      if (!picked) sentToPrimary += 1
      return picked
    },

    /** It failed: the next check that reaches it brings it back. */
    setAside(replica: Replica): void {
      const found = followed.find(({ name }) => name === replica.name)
      if (found) found.showsUntilMs = undefined
    },

    /** Where the primary's log ends now: everything that was committed before this call is behind that. */
    async position(): Promise<bigint> {
      return (await findPosition('now')) ?? PRIMARY_ONLY
    },

    /** By name: seconds by which what a replica shows may be behind. Infinite for one that cannot be used. */
    lags: (): Map<string, number> =>
      new Map(
        followed.map(({ name, showsUntilMs }) => [
          name,
          showsUntilMs === undefined ? Number.POSITIVE_INFINITY : (nowMs() - showsUntilMs) / 1000,
        ]),
      ),

    sentToPrimary: () => sentToPrimary,

    async close(): Promise<void> {
      clearInterval(timer)
      await Promise.all(followed.map(({ db }) => db.close()))
    },
  }
}

/** While a run is under way, further calls wait for that one. */
function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}

const endOfLog = (db: Pick<Database, 'one'>): Promise<LogEnd> =>
  db.one<LogEnd>(sql`
    select (log_end - '0/0'::pg_lsn)::int8 as position, left(pg_walfile_name(log_end), 8) as timeline
    from pg_current_wal_insert_lsn() log_end`)
