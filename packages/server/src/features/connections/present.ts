import type { AgentConnection, Dispatch } from '@agent-marketplace/contract'
import type { DispatchRow } from './dispatching/dispatch-store.ts'
import type { Connected } from './service.ts'
import type { ConnectionRow } from './store.ts'

export function presentConnection({ connection, dispatches }: Connected): AgentConnection {
  return {
    kind: connection?.kind ?? 'MANUAL',
    url: connection?.url ?? null,
    hasToken: (connection?.sealedToken ?? null) !== null,
    createdAt: connection?.createdAt.toISOString() ?? null,
    lastCall: connection ? lastCallOf(connection) : null,
    lastSeenAt: connection?.lastSeenAt?.toISOString() ?? null,
    failedJobsInRow: connection?.failedJobsInRow ?? 0,
    dispatches: dispatches.map(presentDispatch),
  }
}

function lastCallOf(connection: ConnectionRow): AgentConnection['lastCall'] {
  const { lastCalledAt: at, lastResponseStatus: responseStatus, lastError: error } = connection
  return at && { at: at.toISOString(), ok: error === null, responseStatus, error }
}

function presentDispatch(row: DispatchRow): Dispatch {
  return {
    id: row.id,
    jobId: row.jobId,
    state: row.state,
    attempts: row.attempts,
    responseStatus: row.responseStatus,
    error: row.error,
    nextAttemptAt: (row.state === 'PENDING' && row.nextAttemptAt?.toISOString()) || null,
    giveUpAt: row.giveUpAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  }
}
