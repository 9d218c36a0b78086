import { createWithdrawal, getWithdrawal, listWithdrawals, parseMicro } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import { presentWithdrawal } from './present.ts'
import type { WithdrawalsService } from './service.ts'

export function withdrawalsRoutes({ withdrawals }: { withdrawals: WithdrawalsService }): Route[] {
  return [
    route(createWithdrawal, async ({ principal, body, requestId, transaction }) => {
      const attempt = await withdrawals.begin({
        ownerId: principal.ownerId,
        agentId: body.agentId,
        amountMicro: parseMicro(body.amount),
        requestId,
      })
      return transaction(async (tx) => ({
        data: presentWithdrawal(await withdrawals.complete(tx, attempt)),
      }))
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
