import type { FastifyReply, FastifyRequest } from 'fastify'
import type { NewRequest } from './store.ts'

/**
 * What is kept of a request; undefined for one that no program of an owner made. It is put together from names that the
 * service declares, so nothing that was sent can be in it but the request id, which is checked.
 */
export function recordOf(
  { id: requestId, method, facts }: Pick<FastifyRequest, 'id' | 'method' | 'facts'>,
  { statusCode: status, elapsedTime }: Pick<FastifyReply, 'statusCode' | 'elapsedTime'>,
): Omit<NewRequest, 'id' | 'createdAt'> | undefined {
  const { identified, endpoint, route, errorCode = null } = facts
  // Keys and grants have a budget; the session of a wallet has none.
  if (identified?.budget === undefined) return undefined
  return {
    ownerId: identified.ownerId,
    requestId,
    method,
    path: endpoint?.path ?? route,
    status,
    errorCode,
    durationMs: Math.round(elapsedTime * 10) / 10,
    callerKind: identified.clientId === undefined ? 'API_KEY' : 'APP',
    callerId: identified.budget.id,
  }
}
