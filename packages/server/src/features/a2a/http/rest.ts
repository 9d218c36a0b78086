import {
  A2A_CONTENT_TYPE,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk'
import {
  RequestMalformedError,
  restStatusFor,
  toRestErrorBody,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors'
import { type A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseJsonBody } from '../../../platform/http/forms/json-body.ts'
import type { HandlerFor } from './json-rpc.ts'
import { isVersionOne, openCall, versionOf } from './request.ts'
import { sendStream } from './stream.ts'

interface Call {
  handler: A2ARequestHandler
  context: ServerCallContext
  id: string
  configId: string
  query: Record<string, string | undefined>
  body: () => unknown
  reply: FastifyReply
}

/** A2A over HTTP and JSON, in version 1.0. */
export function registerRest(app: FastifyInstance, base: string, handlerFor: HandlerFor): void {
  const route = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    respond: (call: Call) => Promise<unknown>,
  ): void =>
    void app.route({
      method,
      url: `${base}${path}`,
      config: { openToPages: true },
      handler: async (request, reply) => {
        const handler = handlerFor(openCall(request, reply))
        try {
          requireVersion(request)
          const body = await respond(callOf(request, reply, handler))
          if (reply.sent) return reply
          return body === undefined ? reply.code(204).send() : sendJson(reply, 200, body)
        } catch (error) {
          return sendError(reply, error)
        }
      },
    })

  route('POST', '/message::send', async ({ handler, context, body }) => {
    const result = await handler.sendMessage(SendMessageRequest.fromJSON(body()), context)
    return 'messageId' in result ? { message: Message.toJSON(result) } : { task: Task.toJSON(result) }
  })
  route('POST', '/message::stream', ({ handler, context, body, reply }) =>
    stream(reply, handler.sendMessageStream(SendMessageRequest.fromJSON(body()), context)),
  )
  route('GET', '/tasks', async ({ handler, context, query }) => {
    const { includeArtifacts, ...rest } = query
    const params = { ...ListTasksRequest.fromJSON(rest), includeArtifacts: includeArtifacts === 'true' }
    return listed(ListTasksResponse.toJSON(await handler.listTasks(params, context)))
  })
  route('GET', `/tasks/${ID}`, async ({ handler, context, id, query: { historyLength } }) => {
    const length = historyLength === undefined ? undefined : wholeNumber(historyLength)
    return Task.toJSON(await handler.getTask({ tenant: '', id, historyLength: length }, context))
  })
  route('POST', `/tasks/${ID}::cancel`, async ({ handler, context, id }) =>
    Task.toJSON(await handler.cancelTask({ tenant: '', id, metadata: undefined }, context)),
  )
  for (const method of ['GET', 'POST'] as const)
    route(method, `/tasks/${ID}::subscribe`, ({ handler, context, id, reply }) =>
      stream(reply, handler.resubscribe({ tenant: '', id }, context)),
    )

  const configs = `/tasks/${ID}/pushNotificationConfigs`
  route('POST', configs, async ({ handler, context, id: taskId, body, reply }) => {
    const given = TaskPushNotificationConfig.fromJSON({ ...(body() as object), taskId })
    const made = await handler.createTaskPushNotificationConfig(given, context)
    return sendJson(reply, 201, TaskPushNotificationConfig.toJSON(made))
  })
  route('GET', configs, async ({ handler, context, id: taskId }) => {
    const all = { tenant: '', taskId, pageSize: 0, pageToken: '' }
    const response = await handler.listTaskPushNotificationConfigs(all, context)
    return { configs: [], ...(ListTaskPushNotificationConfigsResponse.toJSON(response) as object) }
  })
  route('GET', `${configs}/:configId`, async ({ handler, context, id: taskId, configId }) =>
    TaskPushNotificationConfig.toJSON(
      await handler.getTaskPushNotificationConfig({ tenant: '', taskId, id: configId }, context),
    ),
  )
  route('DELETE', `${configs}/:configId`, ({ handler, context, id: taskId, configId }) =>
    handler.deleteTaskPushNotificationConfig({ tenant: '', taskId, id: configId }, context),
  )
}

/** An id ends before the colon of a verb. */
const ID = ':id(^[^:/]+)'

function callOf(request: FastifyRequest, reply: FastifyReply, handler: A2ARequestHandler): Call {
  const { id = '', configId = '' } = request.params as { id?: string; configId?: string }
  return {
    handler,
    context: new ServerCallContext({ requestedVersion: '1.0' }),
    id,
    configId,
    query: request.query as Call['query'],
    body: () => bodyOf(request),
    reply,
  }
}

function requireVersion(request: FastifyRequest): void {
  if (!isVersionOne(versionOf(request)))
    throw new VersionNotSupportedError(
      'Send A2A-Version: 1.0. Over HTTP and JSON this agent speaks no other.',
    )
}

function bodyOf({ facts }: FastifyRequest): unknown {
  try {
    return parseJsonBody(facts.rawBody ?? Buffer.alloc(0))
  } catch {
    throw new RequestMalformedError('The body is not valid JSON.')
  }
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new RequestMalformedError('historyLength is a whole number')
}

/** Fields that a list always has. */
const listed = (response: unknown): object => ({
  tasks: [],
  nextPageToken: '',
  pageSize: 0,
  totalSize: 0,
  ...(response as object),
})

async function* asJson(
  events: AsyncGenerator<StreamResponse, void, undefined>,
): AsyncGenerator<unknown, void, undefined> {
  for await (const event of events) yield StreamResponse.toJSON(event)
}

const stream = (reply: FastifyReply, events: AsyncGenerator<StreamResponse, void, undefined>) =>
  sendStream(reply, asJson(events), errorBodyOf)

const errorBodyOf = (error: unknown): unknown => toRestErrorBody(error, restStatusFor(error))

function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  return sendJson(reply, restStatusFor(error), errorBodyOf(error))
}

const sendJson = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  reply.code(status).type(A2A_CONTENT_TYPE).send(JSON.stringify(body))
