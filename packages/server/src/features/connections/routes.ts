import {
  deleteAgentConnection,
  deliverByCallback,
  downloadFileByCallback,
  getAgentConnection,
  listMessagesByCallback,
  reportProgressByCallback,
  sendMessageByCallback,
  setAgentConnection,
  testAgentConnection,
  uploadFileByCallback,
} from '@agent-marketplace/contract'
import type { FastifyRequest } from 'fastify'
import { type Route, route, withValue } from '../../platform/http/call.ts'
import { readCredential } from '../../platform/http/credential.ts'
import type { CallbackDoor } from './callback-door.ts'
import { presentConnection } from './present.ts'
import type { ConnectionsService } from './service.ts'

interface RoutesDeps {
  connections: ConnectionsService
  /** What a token opens: a job, or a test. */
  doorFor: (token: string | undefined) => CallbackDoor
}

/** A cookie of this site authenticates a person, never an agent. */
function tokenOf(request: FastifyRequest): string | undefined {
  const credential = readCredential(request)
  return credential?.kind === 'bearer' ? credential.token : undefined
}

export function connectionsRoutes({ connections, doorFor }: RoutesDeps): Route[] {
  function enter(request: FastifyRequest, jobId: string, requestId: string) {
    const token = tokenOf(request)
    return { door: doorFor(token), call: { jobId, token, requestId } }
  }

  const ownOf = (call: { params: { wallet: string }; principal: { ownerId: string } }) => ({
    wallet: call.params.wallet,
    ownerId: call.principal.ownerId,
  })

  return [
    route(getAgentConnection, async (call) => ({
      data: presentConnection(await connections.read(ownOf(call))),
    })),

    /** A response is kept under the caller's Idempotency-Key: what is kept has the secret sealed, as the database has it. */
    route(setAgentConnection, async (call) => {
      const openSecret = await connections.secretsOf(ownOf(call))
      const kept = await call.transaction(async (tx) => {
        const { sealedSecret: secret, ...connected } = await connections.set(tx, ownOf(call), call.body)
        return { data: { ...presentConnection(connected), secret } }
      })
      return withValue(kept, ({ data }) => ({
        data: { ...data, secret: data.secret && openSecret(data.secret) },
      }))
    }),

    route(deleteAgentConnection, (call) =>
      call.transaction(async (tx) => ({
        data: presentConnection(await connections.remove(tx, ownOf(call))),
      })),
    ),

    route(testAgentConnection, async (call) => ({ data: await connections.test(ownOf(call)) })),

    route(deliverByCallback, async ({ params: { id: jobId }, body, request, requestId }) => {
      const { door, call } = enter(request, jobId, requestId)
      return { data: { jobId, status: await door.deliver(call, body) } }
    }),

    route(reportProgressByCallback, async ({ params, body, request, requestId }) => {
      const { door, call } = enter(request, params.id, requestId)
      return { data: await door.reportProgress(call, body) }
    }),

    route(sendMessageByCallback, async ({ params, body, request, requestId }) => {
      const { door, call } = enter(request, params.id, requestId)
      return { data: await door.sendMessage(call, body) }
    }),

    route(listMessagesByCallback, async ({ params, query: { limit = 50 }, request, requestId }) => {
      const { door, call } = enter(request, params.id, requestId)
      return { data: await door.newestMessages(call, limit) }
    }),

    route(uploadFileByCallback, async ({ params: { id, name }, request, requestId }) => {
      const { door, call } = enter(request, id, requestId)
      return { data: await door.upload(call, request, name) }
    }),

    route(downloadFileByCallback, async ({ params, query: { access }, request, reply, requestId }) => {
      const { door, call } = enter(request, params.id, requestId)
      await door.download(call, { request, reply }, { fileId: params.fileId, access })
      return undefined
    }),
  ]
}
