import type { BaseLogger } from 'pino'
import type { Alert } from './alert.ts'
import { asBreaches, countBrokenRules, listBreaches } from './breach-store.ts'
import {
  add,
  type Change,
  countPending,
  dropChanges,
  foldPostings,
  type KeysByKind,
  listChanges,
  newestChange,
  noteChanges,
  withFollowers,
} from './changes.ts'
import { createCheck, noFindings } from './checking.ts'
import { createConclude } from './concluding.ts'
import { alertOfOverduePass, createFullPass, readPassAge } from './full-pass.ts'
import type { Invariant, InvariantDeps } from './invariant.ts'
import { type Breach, keysAtOnceOf, moneyInvariants, subjectsOf } from './invariants.ts'

/** How often it runs. */
export const AUDIT_SECONDS = 60
/** So many changes are taken at a time; the time is looked at in between. */
const CHANGES_AT_ONCE = 1_000
/** Changes may take most of the time between two runs; those that are left are for the next one. */
const CHANGES_MS = 40_000
/** The full pass takes a twentieth of it. */
const PASS_MS = (AUDIT_SECONDS * 1_000) / 20
/** Where there is little to check it would otherwise begin again each minute. */
const PASS_EVERY_SECONDS = 300

export interface Reconciler {
  /**
   * Checks what has changed since the last time and what was broken then, and goes on with the full pass. Returns all that
   * is broken, and alerts of what was not broken before.
   */
  run(signal?: AbortSignal): Promise<Breach[]>
  /** Rules that do not hold, as far as is known. */
  breachCount(): Promise<number>
  /** Changes that wait to be checked. */
  pendingCount(): Promise<number>
  /** Seconds since everything was checked once. */
  passAge(): Promise<number>
}

interface ReconcilerOptions extends InvariantDeps {
  log: BaseLogger
  alert: Alert
  invariants?: readonly Invariant[]
  /** After so long a run puts the rest of the full pass off; 0 leaves it out. */
  passMs?: number
  /** The next full pass begins so long after the end of the last. */
  passEverySeconds?: number
}

/** The standing audit: books against chain, again and again. It repairs nothing; it makes sure that somebody knows. */
export function createReconciler({
  log,
  alert,
  invariants = moneyInvariants,
  passMs = PASS_MS,
  passEverySeconds = PASS_EVERY_SECONDS,
  ...deps
}: ReconcilerOptions): Reconciler {
  const { db } = deps
  const subjects = subjectsOf(invariants)
  const conclude = createConclude({ db, log, alert })
  const check = createCheck(
    deps,
    invariants.filter(({ isForFullPass }) => isForFullPass !== true),
  )
  const passOn = createFullPass({
    deps,
    invariants,
    check: createCheck(deps, invariants),
    conclude,
    everySeconds: passEverySeconds,
  })

  /** What is always due, and what was broken. */
  const dueAgain = async (): Promise<KeysByKind> => {
    const again: KeysByKind = new Map()
    for (const subject of subjects)
      if (subject.isAlwaysDue)
        add(again, subject.name, await subject.list(deps, { after: '', limit: keysAtOnceOf(subject) }))
    for (const { invariant, message, key } of await listBreaches(db)) {
      const rule = invariants.find((known) => known.name === invariant && known.message === message)
      if (rule !== undefined) add(again, rule.subject.name, [key])
    }
    return again
  }

  const checkChanges = async (
    changes: readonly Change[],
    again: KeysByKind,
    signal: AbortSignal | undefined,
  ): Promise<unknown[]> => {
    const changed: KeysByKind = new Map(again)
    for (const { kind, key } of changes) add(changed, kind, [key])
    const due = await withFollowers(db, subjects, changed)
    const findings = noFindings()
    for (const subject of subjects) await check(subject, [...(due.get(subject.name) ?? [])], findings, signal)
    for (const { name, isAlwaysDue } of subjects) if (isAlwaysDue) findings.postponed.delete(name)
    await conclude(findings, async (tx) => {
      await noteChanges(tx, findings.postponed)
      await dropChanges(tx, changes)
    })
    return findings.failures
  }

  return {
    breachCount: () => countBrokenRules(db),
    pendingCount: () => countPending(db),
    passAge: () => readPassAge(db),
    async run(signal) {
      const startedMs = performance.now()
      await foldPostings(db)
      const until = await newestChange(db)
      let again = await dueAgain()
      let changes: Change[]
      const failures: unknown[] = []
      do {
        changes = await listChanges(db, { until, limit: CHANGES_AT_ONCE })
        failures.push(...(await checkChanges(changes, again, signal)))
        again = new Map()
      } while (changes.length === CHANGES_AT_ONCE && performance.now() - startedMs < CHANGES_MS)

      const passStartedMs = performance.now()
      let hasMore = passMs > 0
      while (hasMore) {
        const slice = await passOn(signal)
        failures.push(...slice.failures)
        hasMore = slice.hasMore && performance.now() - passStartedMs < passMs
      }
      await alertOfOverduePass(db, alert)
      // Only now: what fails for one record must not keep all others from being checked.
      if (failures.length > 0) throw failures[0]
      return asBreaches(await listBreaches(db), invariants)
    },
  }
}
