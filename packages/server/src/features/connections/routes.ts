import {
  deleteAgentConnection,
  deliverByCallback,
  downloadFileByCallback,
  getAgentConnection,
  type JobFile,
  type JobMessage,
  listMessagesByCallback,
  reportProgressByCallback,
  sendMessageByCallback,
  setAgentConnection,
  testAgentConnection,
  uploadFileByCallback,
} from '@agent-marketplace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Route, route, withValue } from '../../platform/http/call.ts'
import { readCredential } from '../../platform/http/credential.ts'
import type { Callbacks } from './callbacks.ts'
import { presentConnection } from './present.ts'
import type { ConnectionsService } from './service.ts'

interface RoutesDeps {
  connections: ConnectionsService
  callbacks: Callbacks
  jobFiles: FileDoor
  newestMessages: NewestMessages
}

/** As the seller reads them. */
export type NewestMessages = (
  viewer: Visitor,
  page: { jobId: string; limit: number },
) => Promise<JobMessage[]>

interface Visitor {
  ownerId: string
  isAdmin: boolean
}

/** Files go in and come out as they do for the seller. */
export interface FileDoor {
  upload(request: FastifyRequest, caller: Visitor, file: { jobId: string; name: string }): Promise<JobFile>
  download(
    request: FastifyRequest,
    reply: FastifyReply,
    viewer: Visitor,
    file: { jobId: string; fileId: string },
  ): Promise<void>
}

/** A cookie of this site speaks for a person, never for an agent. */
function tokenOf(request: FastifyRequest): string | undefined {
  const credential = readCredential(request)
  return credential?.kind === 'bearer' ? credential.token : undefined
}

export function connectionsRoutes({ connections, callbacks, jobFiles, newestMessages }: RoutesDeps): Route[] {
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
      const status = await callbacks.deliver({ jobId, token: tokenOf(request), requestId }, body)
      return { data: { jobId, status } }
    }),

    route(reportProgressByCallback, async ({ params: { id: jobId }, body, request, requestId }) => ({
      data: await callbacks.reportProgress({ jobId, token: tokenOf(request), requestId }, body),
    })),

    route(sendMessageByCallback, async ({ params: { id: jobId }, body, request, requestId }) => ({
      data: await callbacks.sendMessage({ jobId, token: tokenOf(request), requestId }, body),
    })),

    route(listMessagesByCallback, async ({ params: { id: jobId }, query, request, requestId }) => {
      const seller = await callbacks.sellerOf({ jobId, token: tokenOf(request), requestId })
      return { data: await newestMessages(seller, { jobId, limit: query.limit ?? 50 }) }
    }),

    route(uploadFileByCallback, async ({ params: { id: jobId, name }, request, requestId }) => {
      const seller = await callbacks.sellerOf({ jobId, token: tokenOf(request), requestId })
      return { data: await jobFiles.upload(request, seller, { jobId, name }) }
    }),

    route(downloadFileByCallback, async ({ params, query: { access }, request, reply, requestId }) => {
      const { id: jobId, fileId } = params
      const call = { jobId, token: tokenOf(request), requestId }
      const seller = await callbacks.readerOf(call, { fileId, access })
      await jobFiles.download(request, reply, seller, { jobId, fileId })
      return undefined
    }),
  ]
}
