import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Alert } from './alert.ts'
import { dropOtherRules } from './breach-store.ts'
import { noteChanges } from './changes.ts'
import { type Check, noFindings } from './checking.ts'
import type { Conclude } from './concluding.ts'
import type { Invariant, InvariantDeps } from './invariant.ts'
import { keysAtOnceOf, subjectsOf } from './invariants.ts'

/** A pass that takes longer than this does not get on; a person is notified once a day. */
const OVERDUE_SECONDS = 3 * 24 * 3600
const ALERT_SECONDS = 24 * 3600

interface FullPassOptions {
  deps: InvariantDeps
  invariants: readonly Invariant[]
  check: Check
  conclude: Conclude
  /** The next pass begins so long after the end of the last. */
  everySeconds: number
}

/** What a slice of the full pass came to. */
interface Slice {
  /** Whether the pass may go on at once. */
  hasMore: boolean
  failures: unknown[]
}

/**
 * One slice of the full pass: the next keys of a subject, by all of its rules. What could not be checked is noted as
 * changed and the pass goes on behind it, in the next run: without a node it notes no more than a slice for each.
 */
export function createFullPass({
  deps,
  invariants,
  check,
  conclude,
  everySeconds,
}: FullPassOptions): (signal?: AbortSignal) => Promise<Slice> {
  const { db } = deps
  const subjects = subjectsOf(invariants)
  return async (signal) => {
    const { subject: name, after, isDue } = await readPlace(db, everySeconds)
    if (!isDue) return { hasMore: false, failures: [] }
    const index = Math.max(
      0,
      subjects.findIndex((subject) => subject.name === name),
    )
    const subject = subjects[index]
    if (subject === undefined) return { hasMore: false, failures: [] }
    const keys = await subject.list(deps, { after, limit: keysAtOnceOf(subject) })
    const findings = noFindings()
    await check(subject, keys, findings, signal)
    const next = keys.length < keysAtOnceOf(subject) ? subjects[index + 1] : subject
    if (subject.isAlwaysDue) findings.postponed.delete(subject.name)
    await conclude(findings, async (tx) => {
      await noteChanges(tx, findings.postponed)
      if (next !== undefined)
        await savePlace(tx, { subject: next.name, after: next === subject ? (keys.at(-1) ?? '') : '' })
      else {
        await endPass(tx)
        await dropOtherRules(tx, invariants)
      }
    })
    return { hasMore: next !== undefined && findings.postponed.size === 0, failures: findings.failures }
  }
}

interface Place {
  /** Null at the beginning. */
  subject: string | null
  /** The last key of that subject that was checked. */
  after: string
}

/** A pass that has begun is always due. */
const readPlace = (db: Queryable, everySeconds: number): Promise<Place & { isDue: boolean }> =>
  db.one(sql`
    select subject, after, subject is not null or ended_at is null
      or ended_at <= now() - make_interval(secs => ${everySeconds}::double precision) as "isDue"
    from audit_pass`)

async function savePlace(db: Queryable, { subject, after }: Place): Promise<void> {
  await db.run(sql`update audit_pass set subject = ${subject}, after = ${after}`)
}

/** All of it was checked once: the next pass begins. */
async function endPass(db: Queryable): Promise<void> {
  await db.run(
    sql`update audit_pass set subject = null, after = '', started_at = now(), ended_at = now(), alerted_at = null`,
  )
}

/** How long ago the last full pass ended; before the first one, for how long it has been under way. */
export async function readPassAge(db: Queryable): Promise<number> {
  const { seconds } = await db.one<{ seconds: number }>(
    sql`select extract(epoch from now() - coalesce(ended_at, started_at))::float8 as seconds from audit_pass`,
  )
  return seconds
}

/** Notifies a person of a pass that does not end, once a day. */
export async function alertOfOverduePass(db: Queryable, alert: Alert): Promise<void> {
  const ageSeconds = await readPassAge(db)
  if (ageSeconds < OVERDUE_SECONDS) return
  const due = await db.maybeOne<Place>(sql`
    select subject, after from audit_pass
    where coalesce(alerted_at, '-infinity') < now() - make_interval(secs => ${ALERT_SECONDS}::double precision)`)
  if (due === undefined) return
  await alert('AUDIT_PASS_OVERDUE', { ageSeconds: Math.round(ageSeconds), ...due })
  await db.run(sql`update audit_pass set alerted_at = now()`)
}
