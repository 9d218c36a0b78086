import { pino } from 'pino'
import { allInvariants } from '../../packages/server/src/invariants.ts'
import { createCheck, noFindings } from '../../packages/server/src/money/audit/checking.ts'
import type { Invariant } from '../../packages/server/src/money/audit/invariant.ts'
import {
  keysAtOnceOf,
  moneyInvariants,
  subjectsOf,
} from '../../packages/server/src/money/audit/invariants.ts'
import { createReconciler } from '../../packages/server/src/money/audit/reconciler.ts'
import { hire } from './calls.ts'
import type { BenchService } from './service.ts'
import { type Cost, time, timeAfter } from './time.ts'

const CHANGES = 100
const SLICE_RUNS = 3

/** What the audit costs when nothing or little has changed, and a slice of its full pass. */
export async function measureAudits(service: BenchService): Promise<Cost[]> {
  const { db, chain } = service.deps
  const audit = (passMs: number, invariants: readonly Invariant[] = allInvariants) =>
    createReconciler({
      db,
      chain,
      log: pino({ level: 'silent' }),
      alert: async () => undefined,
      invariants,
      passMs,
    })
  await service.money.runUntilIdle()
  const changesOnly = audit(0)
  await changesOnly.run()
  // What is saved of a pass ends up among breaches, which made-up records have by the rules of features.
  const moneyPass = audit(Number.MIN_VALUE, moneyInvariants)
  return [
    await time('audit, nothing changed', () => changesOnly.run()),
    await timeAfter(
      `audit, ${CHANGES} new jobs`,
      (turn) => hireMany(service, turn),
      () => changesOnly.run(),
    ),
    await time('audit, a slice of the full pass', () => moneyPass.run()),
    ...(await measureSlices(service)),
  ]
}

/** The second slice of each subject by all rules, those of the features too; what it finds is not kept. */
async function measureSlices({ deps: { db, chain } }: BenchService): Promise<Cost[]> {
  const deps = { db, chain }
  const check = createCheck(deps, allInvariants)
  const costs: Cost[] = []
  for (const subject of subjectsOf(allInvariants)) {
    const limit = keysAtOnceOf(subject)
    const first = await subject.list(deps, { after: '', limit })
    const after = first.length === limit ? (first.at(-1) ?? '') : ''
    costs.push(
      await time(
        `audit, slice of ${subject.name}`,
        async () => {
          const findings = noFindings()
          const keys = await subject.list(deps, { after, limit })
          await check(subject, keys, findings, undefined)
          if (findings.failures.length > 0) throw findings.failures[0]
        },
        SLICE_RUNS,
      ),
    )
  }
  return costs
}

async function hireMany(service: BenchService, turn: number): Promise<void> {
  for (let count = 0; count < CHANGES; count += 1) await hire(service, turn * CHANGES + count)
}
