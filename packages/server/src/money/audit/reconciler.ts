import type { BaseLogger } from 'pino'
import type { Alert } from './alert.ts'
import type { Invariant, InvariantDeps } from './invariant.ts'
import { type Breach, checkInvariants, moneyInvariants } from './invariants.ts'

export interface Reconciler {
  /** Checks everything; alerts when what is broken has changed since the last time. */
  run(): Promise<Breach[]>
  /** How many rules did not hold the last time, for the metrics. */
  breachCount(): number
}

interface ReconcilerOptions extends InvariantDeps {
  log: BaseLogger
  alert: Alert
  invariants?: readonly Invariant[]
}

/** The standing audit: books against chain, again and again. It repairs nothing; it makes sure that somebody knows. */
export function createReconciler({
  log,
  alert,
  invariants = moneyInvariants,
  ...deps
}: ReconcilerOptions): Reconciler {
  let count = 0
  let lastReport = '[]'
  return {
    breachCount: () => count,
    async run() {
      const breaches = await checkInvariants(deps, invariants)
      count = breaches.length
      const report = describe(breaches)
      if (report !== lastReport && breaches.length > 0) {
        log.error({ breaches: JSON.parse(report) }, 'money invariants do not hold')
        await alert('BOOKS_BROKEN', { breaches: JSON.parse(report) })
      }
      lastReport = report
      return breaches
    },
  }
}

const ROWS_SHOWN = 20

/** As JSON, with big numbers as text and a bounded number of rows. */
function describe(breaches: Breach[]): string {
  return JSON.stringify(
    breaches.map(({ rows, ...rest }) => ({ ...rest, count: rows.length, rows: rows.slice(0, ROWS_SHOWN) })),
    (_key, value) => (typeof value === 'bigint' ? value.toString() : value),
  )
}
