import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Check, noFindings } from './checking.ts'
import type { Conclude } from './concluding.ts'
import type { InvariantDeps, Subject } from './invariant.ts'
import { KEYS_AT_ONCE } from './invariants.ts'

interface FullPassOptions {
  deps: InvariantDeps
  subjects: readonly Subject[]
  check: Check
  conclude: Conclude
}

/** One slice of the full pass: the next keys of a subject, by all of its rules. Returns whether the pass has more. */
export function createFullPass({ deps, subjects, check, conclude }: FullPassOptions): () => Promise<boolean> {
  const { db } = deps
  return async () => {
    const { subject: name, after } = await readPlace(db)
    const index = Math.max(
      0,
      subjects.findIndex((subject) => subject.name === name),
    )
    const subject = subjects[index]
    if (subject === undefined) return false
    const keys = await subject.list(deps, { after, limit: KEYS_AT_ONCE })
    const findings = noFindings()
    await check(subject, keys, findings)
    // What could not be compared is looked at again.
    const isDone = findings.postponed.size === 0
    const next = keys.length < KEYS_AT_ONCE ? subjects[index + 1] : subject
    await conclude(findings, async (tx) => {
      if (!isDone) return
      if (next === undefined) await endPass(tx)
      else await savePlace(tx, { subject: next.name, after: next === subject ? (keys.at(-1) ?? '') : '' })
    })
    if (findings.failures.length > 0) throw findings.failures[0]
    return isDone && next !== undefined
  }
}

interface Place {
  /** Null at the beginning. */
  subject: string | null
  /** The last key of that subject that was checked. */
  after: string
}

const readPlace = (db: Queryable): Promise<Place> => db.one(sql`select subject, after from audit_pass`)

async function savePlace(db: Queryable, { subject, after }: Place): Promise<void> {
  await db.run(sql`update audit_pass set subject = ${subject}, after = ${after}`)
}

/** All of it was checked once: the next pass begins. */
async function endPass(db: Queryable): Promise<void> {
  await db.run(sql`update audit_pass set subject = null, after = '', started_at = now(), ended_at = now()`)
}

/** How long ago the last full pass ended; before the first one, for how long it has been under way. */
export async function readPassAge(db: Queryable): Promise<number> {
  const { seconds } = await db.one<{ seconds: number }>(
    sql`select extract(epoch from now() - coalesce(ended_at, started_at))::float8 as seconds from audit_pass`,
  )
  return seconds
}
