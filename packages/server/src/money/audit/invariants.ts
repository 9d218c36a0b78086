import type { Invariant, InvariantDeps } from './invariant.ts'
import { chainChecks } from './invariants-chain.ts'
import { journalChecks } from './invariants-journal.ts'
import { transactionChecks } from './invariants-transactions.ts'
import { walletChecks } from './invariants-wallets.ts'

/** One rule that does not hold, and the rows that break it. */
export interface Breach {
  invariant: string
  message: string
  rows: Record<string, unknown>[]
}

/** What the money engine itself promises; features add their own. */
export const moneyInvariants: readonly Invariant[] = [
  ...chainChecks,
  ...walletChecks,
  ...journalChecks,
  ...transactionChecks,
]

/** Checks every rule and returns those that do not hold: none in good times. */
export async function checkInvariants(
  deps: InvariantDeps,
  invariants: readonly Invariant[] = moneyInvariants,
): Promise<Breach[]> {
  const breaches: Breach[] = []
  for (const { name, message, check } of invariants) {
    const rows = await check(deps)
    if (rows.length > 0) breaches.push({ invariant: name, message, rows })
  }
  return breaches
}
