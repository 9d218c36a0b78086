import type { Checked } from './breach-store.ts'
import { add, type KeysByKind } from './changes.ts'
import type { Invariant, InvariantDeps, Subject } from './invariant.ts'
import { keysAtOnceOf } from './invariants.ts'

/** What some keys showed. */
export interface Findings {
  checked: Checked[]
  /** For a rule of theirs there was nothing to compare with now, or it failed. */
  postponed: KeysByKind
  failures: unknown[]
}

/** Throws once the signal is aborted. */
export type Check = (
  subject: Subject,
  keys: readonly string[],
  findings: Findings,
  signal: AbortSignal | undefined,
) => Promise<void>

/** For so long a rule that fails is tried with ever fewer keys: one record must not hide the others. */
const HALVING_MS = 2_000

export const noFindings = (): Findings => ({ checked: [], postponed: new Map(), failures: [] })

/** Checks the keys of a subject by the rules that are about it. A rule that fails does not stop the others. */
export function createCheck(deps: InvariantDeps, rules: readonly Invariant[]): Check {
  const checkSome = async (
    rule: Invariant,
    keys: string[],
    findings: Findings,
    startedMs = performance.now(),
  ): Promise<void> => {
    try {
      const rows = await rule.check(deps, keys)
      if (rows === undefined) add(findings.postponed, rule.subject.name, keys)
      else findings.checked.push({ rule, keys, rows })
    } catch (error) {
      if (keys.length > 1 && performance.now() - startedMs < HALVING_MS) {
        const middle = Math.ceil(keys.length / 2)
        await checkSome(rule, keys.slice(0, middle), findings, startedMs)
        await checkSome(rule, keys.slice(middle), findings, startedMs)
        return
      }
      findings.failures.push(error)
      add(findings.postponed, rule.subject.name, keys)
    }
  }

  return async (subject, keys, findings, signal) => {
    const itsRules = rules.filter((rule) => rule.subject === subject)
    const atOnce = keysAtOnceOf(subject)
    for (let first = 0; first < keys.length; first += atOnce)
      for (const rule of itsRules) {
        signal?.throwIfAborted()
        await checkSome(rule, keys.slice(first, first + atOnce), findings)
      }
  }
}
