import type { Budget } from '@agent-marketplace/contract'
import type { Budgets } from '../../house/budgets.ts'
import type { Feature } from '../../house/feature.ts'
import type { Base } from '../../house/ground.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { budgetInvariants } from './invariants.ts'
import { presentBudget } from './present.ts'
import { budgetsRoutes } from './routes.ts'
import { type BudgetsService, createBudgets } from './service.ts'

interface Api extends Pick<BudgetsService, keyof Budgets | 'create'> {
  /** As callers read them, by their ids. */
  present: (db: Queryable, ids: readonly string[]) => Promise<Map<string, Budget>>
}

/** What credentials may spend. */
export function defineFeature({ db, clock }: Base): Feature<Api> {
  const budgets = createBudgets({ clock })
  const present: Api['present'] = async (queryable, ids) => {
    const now = clock.now()
    const read = await budgets.readAll(queryable, ids)
    return new Map([...read].map(([id, budget]) => [id, presentBudget(budget, now)]))
  }
  return {
    api: { ...budgets, present },
    routes: budgetsRoutes({ read: async (id) => (await present(db, [id])).get(id) ?? null }),
    invariants: budgetInvariants,
  }
}
