import {
  formatMicro,
  listX402Transactions,
  logX402,
  type X402LogRecord,
  type X402Transaction,
} from '@agent-marketplace/contract'
import { type Route, route, WithStatus } from '../../platform/http/call.ts'
import { readPeriod, readReport } from './rules.ts'
import type { LogService } from './service.ts'
import type { LogRow } from './store.ts'

export function logRoutes({ logs }: { logs: LogService }): Route[] {
  return [
    route(logX402, ({ principal, body, transaction }) =>
      transaction(async (tx) => {
        const { row, isNew } = await logs.log(tx, principal.ownerId, readReport(body))
        const response = { a: { data: presentA(row) }, b: { data: { transaction: presentB(row) } } }
        return isNew ? response : new WithStatus(200, response)
      }),
    ),

    route(listX402Transactions, async ({ principal, query, wanted, request }) => {
      const { agentId, wallet, limit = 50, offset = 0 } = query
      const filter = { ownerId: principal.ownerId, agentId, wallet, ...readPeriod(query) }
      const { rows, total } = await logs.list(filter, { limit, offset })
      if (!asksForB(request.query, wanted)) return { form: 'a' as const, value: { data: rows.map(presentA) } }
      return {
        form: 'b' as const,
        value: { data: { transactions: rows.map(presentB), total, limit, offset } },
      }
    }),
  ]
}

/** An array and an object cannot be one response: the query decides which is meant. */
function asksForB(query: unknown, wanted: 'a' | 'b' | 'both'): boolean {
  if (wanted !== 'both') return wanted === 'b'
  const given = query as Record<string, unknown>
  return ['wallet', 'startDate', 'endDate', 'offset'].some((name) => (given[name] ?? '') !== '')
}

function presentA(row: LogRow): X402Transaction {
  return {
    id: row.id,
    agentId: row.agentId,
    ownerId: row.ownerId,
    txHash: row.txId,
    amountMicroUsdc: formatMicro(row.amountMicro),
    chainId: row.chainId,
    createdAt: row.createdAt.toISOString(),
    verification: row.verification,
    logIndex: row.logIndex,
  }
}

function presentB(row: LogRow): X402LogRecord {
  return {
    id: row.id,
    amount: formatMicro(row.amountMicro),
    status: 'COMPLETED',
    createdAt: row.createdAt.toISOString(),
    payerWallet: row.payerWallet,
    payeeWallet: row.payeeWallet,
    x402TxId: row.txId,
    serviceName: row.serviceName,
    metadata: row.metadata ?? {},
    verification: row.verification,
    logIndex: row.logIndex,
  }
}
