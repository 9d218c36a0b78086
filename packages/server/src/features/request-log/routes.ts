import { type ApiRequest, listRequests } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import type { RequestLog } from './service.ts'
import type { RequestRow } from './store.ts'

export const requestLogRoutes = ({ requestLog }: { requestLog: RequestLog }): Route[] => [
  route(listRequests, async ({ principal: { ownerId }, query }) => {
    const { status, method, path, caller, requestId, limit = 50, cursor } = query
    const filter = { ownerId, status, method, path, caller, requestId }
    const { rows, nextCursor } = await requestLog.list(filter, { limit, cursor })
    return { data: rows.map(presentRequest), nextCursor }
  }),
]

const presentRequest = (row: RequestRow): ApiRequest => ({
  id: row.id,
  requestId: row.requestId,
  method: row.method,
  path: row.path,
  status: row.status,
  errorCode: row.errorCode,
  durationMs: row.durationMs,
  caller: { kind: row.callerKind, id: row.callerId, name: row.callerName },
  createdAt: row.createdAt.toISOString(),
})
