import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { createWriteBehind } from '../../platform/fast/write-behind.ts'
import { createCursors } from '../../platform/http/cursor.ts'
import { createMemoryRateLimiter } from '../../platform/http/limits/rate-limit.ts'
import { rateClassOf } from '../../platform/http/limits/request-limits.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { Log } from '../../platform/log/log.ts'
import { recordOf } from './rules.ts'
import {
  findRecorders,
  insertRequests,
  listRequests,
  type NewRequest,
  type RequestFilter,
  type RequestRow,
  removeRequests,
  trimRequests,
} from './store.ts'

const DAY_SECONDS = 24 * 3600
const BATCH = 1_000
const QUEUE = 10_000
const DELAY_MS = 1_000
/** By one statement, which has ten seconds. */
export const REMOVED_AT_ONCE = 10_000
/** Of one owner. It bounds what one busy key can write: what is recorded between two trimmings comes on top. */
export const KEPT_REQUESTS = 50_000
/** Of one owner and process. A rate limit bounds the rest. */
export const UNLIMITED_PER_MINUTE = 100
/** A trimming counts up to all that is kept of each owner who has recorded some lately, so it is rarer than a cleaning. */
export const TRIMMING_SECONDS = 3_600
/** One trimming may have failed. */
const TRIMMED_SECONDS = 2 * TRIMMING_SECONDS

const Place = Type.Object({ createdAt: Type.String(), seq: Type.String() })

/**
 * API requests of an owner's programs. It promises: no request waits for its record; a record is there once, however
 * often it is written; an owner sees their own alone, and nothing that was sent or returned. A crash, or a database that is
 * away for long, may cost some.
 */
export interface RequestLogDeps {
  db: Queryable
  clock: Clock
  newId: NewId
  log: Log
  cursorSecret: string
  /** Undefined keeps none. */
  days: number | undefined
}

export interface RequestPage {
  limit: number
  cursor: string | undefined
}

export function createRequestLog({ db, clock, newId, log, cursorSecret, days }: RequestLogDeps) {
  const cursors = createCursors(Place, { secret: cursorSecret, list: 'requests' })
  const pending = createWriteBehind<NewRequest>({
    write: async (rows) => void (await insertRequests(db, rows)),
    onFailure: (error) => log.warn({ err: error }, 'requests of programs are not recorded for now'),
    batchLimit: BATCH,
    queueLimit: QUEUE,
    delayMs: DELAY_MS,
  })

  const keptSince = (): Date => addSeconds(clock.now(), -(days ?? 0) * DAY_SECONDS)
  const unlimited = createMemoryRateLimiter(clock)
  /** What a rate limit rejects, and what has none, can come as fast as the line carries it. */
  const isUnlimited = (request: FastifyRequest): boolean =>
    request.facts.errorCode === 'RATE_LIMIT_EXCEEDED' ||
    rateClassOf(request, request.facts.endpoint) === 'none'

  let trimmedUpTo = ''
  /** Nobody else waits for an owner whose requests cannot be removed. */
  const trimOne = async (ownerId: string, signal: AbortSignal): Promise<void> => {
    const beyond = { kept: KEPT_REQUESTS, limit: REMOVED_AT_ONCE }
    try {
      while (!signal.aborted && (await trimRequests(db, ownerId, beyond)) === REMOVED_AT_ONCE);
    } catch (error) {
      log.warn({ err: error, ownerId }, 'requests of an owner are not trimmed for now')
    }
  }

  return {
    note(request: FastifyRequest, reply: FastifyReply): void {
      const record = recordOf(request, reply)
      if (!record) return
      if (isUnlimited(request) && !unlimited.hit(record.ownerId, UNLIMITED_PER_MINUTE).allowed) return
      pending.add({ ...record, id: newId(), createdAt: clock.now() })
    },

    async list(
      filter: RequestFilter,
      { limit, cursor }: RequestPage,
    ): Promise<{ rows: RequestRow[]; nextCursor: string | null }> {
      const at = cursor === undefined ? undefined : cursors.read(cursor, filter)
      // What this process has served is in the list at once; of the others it may be a second behind.
      await pending.flush()
      const before = at && { createdAt: new Date(at.createdAt), seq: BigInt(at.seq) }
      // One more than requested shows whether there is a next page.
      const found = await listRequests(db, filter, { since: keptSince(), before, limit: limit + 1 })
      const rows = found.slice(0, limit)
      const last = rows.at(-1)
      if (found.length <= limit || last === undefined) return { rows, nextCursor: null }
      const place = { createdAt: last.createdAt.toISOString(), seq: String(last.seq) }
      return { rows, nextCursor: cursors.write(place, filter) }
    },

    keptSince,

    async removeOld(): Promise<void> {
      while ((await removeRequests(db, keptSince(), REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
    },

    /** All who have recorded some lately, beginning where the last turn was ended. */
    async trim(signal: AbortSignal): Promise<void> {
      const recorders = await findRecorders(db, addSeconds(clock.now(), -TRIMMED_SECONDS))
      const isNext = (ownerId: string): boolean => ownerId > trimmedUpTo
      const isLater = (ownerId: string): boolean => !isNext(ownerId)
      for (const ownerId of [...recorders.filter(isNext), ...recorders.filter(isLater)]) {
        await trimOne(ownerId, signal)
        if (signal.aborted) return
        trimmedUpTo = ownerId
      }
    },

    droppedCount: pending.droppedCount,
    close: pending.close,
  }
}

export type RequestLog = ReturnType<typeof createRequestLog>
