import { AppError, allowsEmptyBody, type Endpoint } from '@agent-marketplace/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Database } from '../db/database.ts'
import { type Call, type Route, WithStatus, Written } from './call.ts'
import {
  createNegotiator,
  createPresenter,
  mediaTypeOf,
  type Present,
  type Presented,
  type WantedForm,
} from './forms/forms.ts'
import { serialisedSchema } from './forms/serialised-schema.ts'
import { createBodyValidator, createTextValidator } from './forms/validate.ts'
import type { Judging } from './limits/judging.ts'
import type { Idempotency } from './once/idempotency.ts'
import { createOnce } from './once/once.ts'

export interface MountDeps {
  db: Database
  idempotency: Idempotency
  judging: Judging
}

/** Puts an endpoint of the contract on the server: validators in front of its handler, a presenter behind it. */
export function mountRoute(app: FastifyInstance, deps: MountDeps, { endpoint, handler }: Route): void {
  const { negotiate, readRequest, present } = compiledOf(endpoint)
  const once = createOnce(deps, endpoint)

  const scope = endpoint.streamsBody ? takeAnyBody : takeJson
  scope(app, {
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { endpoint },
    handler: async (request, reply) => {
      const input = readRequest(request)
      const wanted = negotiate(request.headers.accept)
      // What follows a decision is its response, or the wait for the chain.
      const leavingRoom = <T>(decision: Promise<T>) => decision.finally(() => deps.judging.leave(request.raw))
      const call: Call<Endpoint> = {
        ...input,
        principal: request.facts.principal as Call<Endpoint>['principal'],
        rawBody: request.facts.rawBody,
        wanted,
        requestId: request.id,
        request,
        reply,
        write: (response) => writtenBy(reply, present, response, wanted),
        transaction: (work) => leavingRoom(once.alone(request, reply, work)),
        together: (work, item) => leavingRoom(once.together(request, reply, work, item)),
      }
      const result = await handler(call)
      if (!present || reply.sent) return reply
      const status = result instanceof WithStatus ? result.status : endpoint.status
      const response = result instanceof WithStatus ? result.value : result
      const written = response instanceof Written ? response : call.write(response as never)
      return reply.code(status).type(written.mediaType).send(written.body)
    },
  })
}

interface Compiled {
  negotiate: (accept: string | undefined) => WantedForm
  readRequest: ReturnType<typeof createReader>
  present: Present | undefined
}

/** What an endpoint's schemas are compiled to, once for all servers of a process. */
const compiled = new WeakMap<Endpoint, Compiled>()

/** Ahead of time, where there is some to spare. */
export function compileEndpoints(endpoints: readonly Endpoint[]): void {
  for (const endpoint of endpoints) compiledOf(endpoint)
}

function compiledOf(endpoint: Endpoint): Compiled {
  const known = compiled.get(endpoint)
  if (known) return known
  const made = {
    negotiate: createNegotiator(endpoint),
    readRequest: createReader(endpoint),
    present: endpoint.response.kind === 'raw' ? undefined : createPresenter(endpoint),
  }
  compiled.set(endpoint, made)
  return made
}

const takeJson = (app: FastifyInstance, options: RouteOptions): void => void app.route(options)

const ENCODED = 'Send the file as it is, without Content-Encoding.'
const MALFORMED_TYPE = 'The Content-Type cannot be read. Send one such as text/csv, or none.'

/** In a scope of its own, in which a body of any type is handed on as it comes. */
function takeAnyBody(app: FastifyInstance, options: RouteOptions): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (request, payload, done) => {
      if (request.headers['content-encoding'])
        done(new AppError('UNSUPPORTED_MEDIA_TYPE', { message: ENCODED }))
      else done(null, payload)
    })
    scope.setErrorHandler((error) => {
      const isTypeRejected = Object(error).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
      throw isTypeRejected
        ? new AppError('UNSUPPORTED_MEDIA_TYPE', { message: MALFORMED_TYPE, cause: error })
        : error
    })
    scope.route(options)
  })
}

function createReader(
  endpoint: Endpoint,
): (request: FastifyRequest) => Pick<Call<Endpoint>, 'params' | 'query' | 'body'> {
  const readParams = endpoint.params && createTextValidator('path', endpoint.params)
  const readQuery = endpoint.query && createTextValidator('query', endpoint.query)
  const readBody = endpoint.body && createBodyValidator(endpoint.body)
  const whenAbsent = allowsEmptyBody(endpoint) ? {} : undefined
  return (request) =>
    ({
      params: readParams?.(request.params),
      query: readQuery?.(request.query),
      body: readBody?.(request.facts.body ?? whenAbsent),
    }) as Pick<Call<Endpoint>, 'params' | 'query' | 'body'>
}

function writtenBy(
  reply: FastifyReply,
  present: Present | undefined,
  response: unknown,
  wanted: WantedForm,
): Written {
  if (!present) throw new Error('Its handler writes the response itself')
  const { value, schema, form } = present(response, wanted)
  return new Written(mediaTypeOf(form), serializerOf(reply, schema)(value))
}

type Serialize = (value: Presented['value']) => string

/** Compiled with the first response that needs it. */
const serializers = new WeakMap<Presented['schema'], Serialize>()

function serializerOf(reply: FastifyReply, schema: Presented['schema']): Serialize {
  const known = serializers.get(schema)
  if (known) return known
  const made: Serialize = reply.compileSerializationSchema(serialisedSchema(schema))
  serializers.set(schema, made)
  return made
}

/** The handler of unknown paths. */
export function refuseUnknownPath({ method }: FastifyRequest): never {
  throw new AppError('NOT_FOUND', {
    message: `There is nothing to ${method} at this path. /docs lists all calls.`,
  })
}
