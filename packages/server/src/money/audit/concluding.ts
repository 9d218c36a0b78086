import type { BaseLogger } from 'pino'
import type { Database } from '../../platform/db/database.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Alert } from './alert.ts'
import { type Checked, listBreachesOf, saveChecked } from './breach-store.ts'
import type { Findings } from './checking.ts'
import type { Breach } from './invariants.ts'

const ROWS_SHOWN = 20

interface ConcludingDeps {
  db: Database
  log: BaseLogger
  alert: Alert
}

/** Stores what was found, together with how far the audit has come; alerts of what was not broken before. */
export type Conclude = (findings: Findings, proceed: (tx: Transaction) => Promise<void>) => Promise<void>

export function createConclude({ db, log, alert }: ConcludingDeps): Conclude {
  return async ({ checked }, proceed) => {
    const keys = checked.flatMap((one) => [...one.keys, ...one.rows.map(({ key }) => key)])
    const known = await listBreachesOf(db, new Set(keys))
    const rules = new Set(known.map(nameOf))
    const places = new Set(known.map((breach) => `${nameOf(breach)} ${breach.key}`))
    const fresh = checked.flatMap(({ rule, rows }): Breach[] => {
      const breach = { invariant: rule.name, message: rule.message }
      const added = rows.filter(({ key }) => !places.has(`${nameOf(breach)} ${key}`))
      return added.length === 0 ? [] : [{ ...breach, rows: added }]
    })
    // A process that dies before it has stored them alerts once more, and never not at all.
    if (fresh.length > 0) {
      const breaches = describe(fresh)
      log.error({ breaches }, 'money invariants do not hold')
      await alert('BOOKS_BROKEN', { breaches })
    }
    const isNews = ({ rule, rows }: Checked): boolean =>
      rows.length > 0 || rules.has(nameOf({ invariant: rule.name, message: rule.message }))
    await db.transaction(async (tx) => {
      for (const one of checked.filter(isNews)) await saveChecked(tx, one)
      await proceed(tx)
    })
  }
}

const nameOf = ({ invariant, message }: Pick<Breach, 'invariant' | 'message'>): string =>
  `${invariant} ${message}`

/** As plain JSON, with big numbers as text and a bounded number of rows. */
function describe(breaches: Breach[]): unknown {
  const text = JSON.stringify(
    breaches.map(({ rows, ...rest }) => ({ ...rest, count: rows.length, rows: rows.slice(0, ROWS_SHOWN) })),
    (_key, value) => (typeof value === 'bigint' ? value.toString() : value),
  )
  return JSON.parse(text)
}
