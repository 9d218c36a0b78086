import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { REMOVED_AT_ONCE } from '../../platform/db/remove-rows.ts'
import { createWriteBehind } from '../../platform/fast/write-behind.ts'
import { createCursors } from '../../platform/http/cursor.ts'
import { createMemoryRateLimiter } from '../../platform/http/limits/rate-limit.ts'
import { rateClassOf } from '../../platform/http/limits/request-limits.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { Log } from '../../platform/log/log.ts'
import { recordOf } from './rules.ts'
import {
  insertRequests,
  listRequests,
  type NewRequest,
  type RequestFilter,
  type RequestRow,
  removeRequests,
} from './store.ts'
import { createTrimming } from './trimming.ts'

const DAY_SECONDS = 24 * 3600
const BATCH = 1_000
const QUEUE = 10_000
const DELAY_MS = 1_000
/** Of one owner and process. A rate limit bounds the rest. */
export const UNLIMITED_PER_MINUTE = 100

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
  const trimAfter = createTrimming({ db, log })
  const pending = createWriteBehind<NewRequest>({
    async write(rows) {
      await insertRequests(db, rows)
      await trimAfter(rows)
    },
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

    async removeOld(signal: AbortSignal): Promise<void> {
      while (!signal.aborted && (await removeRequests(db, keptSince(), REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
    },

    droppedCount: pending.droppedCount,
    close: pending.close,
  }
}

export type RequestLog = ReturnType<typeof createRequestLog>
