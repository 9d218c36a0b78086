import { createWithdrawal, getWithdrawal, listWithdrawals, parseMicro } from '@agent-marketplace/contract'
import { respondInSteps } from '../../house/steps.ts'
import { type Route, route } from '../../platform/http/call.ts'
import { presentWithdrawal } from './present.ts'
import type { WithdrawalsService } from './service.ts'

export function withdrawalsRoutes({ withdrawals }: { withdrawals: WithdrawalsService }): Route[] {
  return [
    route(createWithdrawal, (call) => {
      const { principal, body, requestId } = call
      const steps = withdrawals.withdraw({
        ownerId: principal.ownerId,
        agentId: body.agentId,
        amountMicro: parseMicro(body.amount),
        requestId,
      })
      return respondInSteps(call, steps, (row) => ({ data: presentWithdrawal(row) }))
    }),

    route(listWithdrawals, async ({ principal, query }) => {
      const { agentId, status, limit = 50, offset = 0 } = query
      const filter = { ownerId: principal.ownerId, agentId, status, limit, offset }
      const { rows, total } = await withdrawals.list(filter)
      return { data: { withdrawals: rows.map(presentWithdrawal), total, limit, offset } }
    }),

    route(getWithdrawal, async ({ principal, params }) => ({
      data: presentWithdrawal(await withdrawals.find(principal.ownerId, params.id)),
    })),
  ]
}
