import type { BaseLogger } from 'pino'
import { createCoalescedLookup } from '../../fast/coalesce.ts'
import type { Database } from '../database.ts'
import { sql } from '../sql.ts'
import { createLogHistory } from './log-history.ts'

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
  /** It shows everything that was committed before this time; undefined while it must not be asked. */
  showsUntilMs: number | undefined
}

interface ReplicasOptions {
  primary: Database
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
 * everything that is asked for, and nothing older than the limit; one that cannot be reached is not asked until it can.
 */
export function createReplicas(options: ReplicasOptions) {
  const { primary, maxLagMs, log, nowMs = () => performance.now(), checkMs = 250 } = options
  const followed: Followed[] = options.replicas.map((replica) => ({
    ...replica,
    position: -1n,
    showsUntilMs: undefined,
  }))
  const history = createLogHistory()
  let turn = 0
  let sentToPrimary = 0
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | undefined

  const isFresh = ({ showsUntilMs }: Followed): boolean =>
    showsUntilMs !== undefined && nowMs() - showsUntilMs <= maxLagMs

  async function follow(replica: Followed): Promise<void> {
    try {
      const { position } = await replica.db.one<{ position: bigint | null }>(sql`
        select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::int8 as position where pg_is_in_recovery()`)
      replica.position = position ?? -1n
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

  async function checkAll(): Promise<void> {
    const askedAtMs = nowMs()
    const position = await positionOf(primary).catch(() => undefined)
    if (position !== undefined) history.note(askedAtMs, position)
    await Promise.all(followed.map(follow))
  }

  const check = (): Promise<void> => {
    checking ??= checkAll().finally(() => {
      checking = undefined
    })
    return checking
  }

  const findPosition = createCoalescedLookup({
    load: async (keys: 'now'[]) => {
      const position = await positionOf(primary)
      return new Map(keys.map((key) => [key, position]))
    },
  })

  return {
    all: followed as readonly Replica[],
    maxLagMs,
    check,

    /** Checks all of them regularly. */
    start(): void {
      void check()
      timer = setInterval(() => void check(), checkMs).unref()
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

    /** By name: seconds by which what a replica shows may be behind. Infinite for one that cannot be asked. */
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
      await checking
      await Promise.all(followed.map(({ db }) => db.close()))
    },
  }
}

const positionOf = async (db: Database): Promise<bigint> => {
  const { position } = await db.one<{ position: bigint }>(sql`
    select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::int8 as position`)
  return position
}
