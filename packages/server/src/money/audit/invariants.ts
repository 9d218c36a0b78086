import type { BrokenRow, Invariant, InvariantDeps, Subject } from './invariant.ts'
import { chainChecks } from './invariants-chain.ts'
import { journalChecks } from './invariants-journal.ts'
import { transactionChecks } from './invariants-transactions.ts'
import { walletChecks } from './invariants-wallets.ts'

/** One rule that does not hold, and the rows that break it. */
export interface Breach {
  invariant: string
  message: string
  rows: BrokenRow[]
}

/** What the money engine itself promises; features add their own. */
export const moneyInvariants: readonly Invariant[] = [
  ...chainChecks,
  ...walletChecks,
  ...journalChecks,
  ...transactionChecks,
]

/** So many keys are checked at a time, where a subject says nothing else. */
const KEYS_AT_ONCE = 500
export const keysAtOnceOf = ({ keysAtOnce = KEYS_AT_ONCE }: Subject): number => keysAtOnce

/** What the rules are about, each once, in a fixed order. */
export const subjectsOf = (invariants: readonly Invariant[]): Subject[] => [
  ...new Set(invariants.map(({ subject }) => subject)),
]

/** Checks every rule for every key, and returns those that do not hold: none in good times. */
export async function checkInvariants(
  deps: InvariantDeps,
  invariants: readonly Invariant[] = moneyInvariants,
): Promise<Breach[]> {
  const found = new Map<Invariant, BrokenRow[]>()
  for (const subject of subjectsOf(invariants)) {
    const rules = invariants.filter((rule) => rule.subject === subject)
    for await (const keys of pagesOf(deps, subject)) {
      for (const rule of rules) {
        const rows = (await rule.check(deps, keys)) ?? []
        if (rows.length > 0) found.set(rule, [...(found.get(rule) ?? []), ...rows])
      }
    }
  }
  return invariants.flatMap((rule) => {
    const rows = found.get(rule)
    return rows === undefined ? [] : [{ invariant: rule.name, message: rule.message, rows }]
  })
}

async function* pagesOf(deps: InvariantDeps, subject: Subject): AsyncGenerator<string[]> {
  const limit = keysAtOnceOf(subject)
  let keys: string[] = []
  do {
    keys = await subject.list(deps, { after: keys.at(-1) ?? '', limit })
    if (keys.length > 0) yield keys
  } while (keys.length === limit)
}
