import { type ApiKeyScope, type Budget, getBudget } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'

/** A wallet's own session may do everything. */
const ofSession: readonly ApiKeyScope[] = ['read', 'write']

export function budgetsRoutes({ read }: { read: (budgetId: string) => Promise<Budget | null> }): Route[] {
  return [
    route(getBudget, async ({ principal: { scopes = ofSession, budget } }) => ({
      data: { scopes: [...scopes], budget: budget ? await read(budget.id) : null },
    })),
  ]
}
