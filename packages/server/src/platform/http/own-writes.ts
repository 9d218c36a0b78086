import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OwnWrites } from '../db/replicas/own-writes.ts'

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/**
 * Callers who have written are shown it by every process: a write is remembered before its response leaves. One that fails
 * counts as well, because it may have committed something before.
 */
export function installOwnWrites(app: FastifyInstance, ownWrites: OwnWrites): void {
  app.addHook('onRequest', async (request) => {
    const { facts } = request
    const isPublic = !facts.endpoint || facts.endpoint.access === 'public'
    // Outside the contract programs read by POST, too: a message of A2A may be a search.
    const mayRead = isRead(request) || !facts.endpoint
    if (!facts.identified || !mayRead || !isPublic) return
    facts.mustShow = await ownWrites.positionOf(facts.identified.ownerId)
  })

  app.addHook('onSend', async (request, _reply, payload) => {
    const ownerId = request.facts.identified?.ownerId
    if (ownerId !== undefined && !isRead(request)) await ownWrites.remember(ownerId)
    return payload
  })
}
