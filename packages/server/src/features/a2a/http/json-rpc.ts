import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { A2A_ERROR_CODE, toJsonRpcError, VersionNotSupportedError } from '@a2a-js/sdk/errors'
import { type A2ARequestHandler, JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseJsonBody } from '../../../platform/http/forms/json-body.ts'
import type { Caller } from '../caller.ts'
import { LEGACY_VERSION } from '../cards.ts'
import { isVersionOne, openCall, versionOf } from './request.ts'
import { sendStream } from './stream.ts'

export type HandlerFor = (caller: Caller) => A2ARequestHandler

/** A2A over JSON-RPC, in version 1.0 and in version 0.3. */
export function registerJsonRpc(app: FastifyInstance, path: string, handlerFor: HandlerFor): void {
  app.post(path, { config: { openToPages: true } }, async (request, reply) => {
    const handler = handlerFor(openCall(request, reply))
    const body = bodyOf(request)
    if (body === undefined) {
      const error = { code: A2A_ERROR_CODE.PARSE_ERROR, message: 'The body is not valid JSON.' }
      return send(reply, { jsonrpc: '2.0', id: null, error })
    }
    const id = idOf(body)
    const version = versionOf(request)
    if (version !== LEGACY_VERSION && !isVersionOne(version)) {
      const error = new VersionNotSupportedError('This agent speaks A2A 1.0 and 0.3.')
      return send(reply, { jsonrpc: '2.0', id, error: toJsonRpcError(error) })
    }
    const isLegacy = version === LEGACY_VERSION
    const rpc = isLegacy ? new LegacyJsonRpcTransportHandler(handler) : new JsonRpcTransportHandler(handler)
    const errorOf = (error: unknown) => ({
      jsonrpc: '2.0',
      id,
      error: isLegacy ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error) : toJsonRpcError(error),
    })
    const response = await rpc.handle(body, new ServerCallContext({ requestedVersion: version }))
    if (!(Symbol.asyncIterator in response)) return send(reply, response)
    try {
      return await sendStream(reply, response, errorOf)
    } catch (error) {
      return send(reply, errorOf(error))
    }
  })
}

const send = (reply: FastifyReply, body: unknown): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(body))

function bodyOf({ facts }: FastifyRequest): Record<string, unknown> | undefined {
  try {
    return parseJsonBody(facts.rawBody ?? Buffer.alloc(0)) as Record<string, unknown>
  } catch {
    return undefined
  }
}

function idOf(body: unknown): string | number | null {
  const { id } = (body ?? {}) as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
