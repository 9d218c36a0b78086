import { getX402Supported, settleX402Payment, verifyX402Payment } from '@agent-marketplace/contract'
import type { FastifyReply } from 'fastify'
import { type Route, route } from '../../platform/http/call.ts'
import type { Facilitator, FacilitatorRequest } from './service.ts'

export function facilitatorRoutes(facilitator: Facilitator): Route[] {
  /** Before anything is settled: nothing may fail between a settlement and its response. */
  async function setExtensionResponses(reply: FastifyReply, request: FacilitatorRequest): Promise<void> {
    const responses = await facilitator.respondToExtensions(request)
    if (!responses) return
    reply.header('EXTENSION-RESPONSES', Buffer.from(JSON.stringify(responses)).toString('base64'))
  }

  return [
    route(getX402Supported, () => facilitator.supported()),
    route(verifyX402Payment, async ({ body, reply }) => {
      await setExtensionResponses(reply, body)
      return facilitator.verify(body)
    }),
    route(settleX402Payment, async ({ body, reply, requestId, principal }) => {
      await setExtensionResponses(reply, body)
      return facilitator.settle(body, { requestId, ownerId: principal.ownerId })
    }),
  ]
}
