import { AppError, MAX_BODY_BYTES } from '@agent-marketplace/contract'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Clock } from '../clock/clock.ts'
import { createAccessLog } from '../fast/access-log.ts'
import type { Log } from '../log/log.ts'
import { installPreflights } from './browsers/cross-origin.ts'
import type { Route } from './call.ts'
import { createClientErrorHandler } from './client-errors.ts'
import type { Drain } from './drain.ts'
import { retryAfterSeconds, toAppError, toEnvelope } from './error-envelope.ts'
import { type ConnectionLimit, type Connections, limitConnections } from './limits/connections.ts'
import { type Judging, judgeRequests } from './limits/judging.ts'
import { createOverload, type Overload } from './limits/overload.ts'
import { overloaded } from './limits/overloaded.ts'
import { beginInTurn } from './limits/pipelining.ts'
import { showLimit } from './limits/request-limits.ts'
import { lingerAfterLast } from './lingering.ts'
import type { Metrics } from './measuring/metrics.ts'
import { type MountDeps, mountRoute, refuseUnknownPath } from './mount.ts'
import { installPipeline, openResponse, type PipelineDeps } from './pipeline.ts'

export interface HttpServerDeps extends PipelineDeps, Omit<MountDeps, 'judging'> {
  log: Log
  accessLog: Log
  clock: Clock
  metrics: Metrics
  drain: Drain
  overload?: Overload
  connectionLimit: ConnectionLimit
}

/** The head of a request is a few packets, which clients send at once. */
const HEAD_TIMEOUT_MS = 10_000
const HEAD_CHECK_MS = 2_000
/** Browsers send about twenty. A head of many tiny fields takes several times its size in memory. */
const MOST_HEADERS = 100

/** Fastify with our limits, the pipeline, the routes of the contract, and one error envelope for everything. */
export async function createHttpServer(
  { overload = createOverload(), ...deps }: HttpServerDeps,
  routes: readonly Route[],
): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    // Long enough for a large file on a slow line; other bodies have less, see `limitBodyTime`.
    requestTimeout: 600_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    genReqId: (request) => deps.requestIdOf(request.headers['x-request-id']),
    // Node would refuse a request without Host in words of its own; the pipeline does it in ours.
    http: { requireHostHeader: false, connectionsCheckingInterval: HEAD_CHECK_MS },
    // What arrives on an open connection while the service stops is still done: it stops when all are.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    clientErrorHandler: (error, socket) => respondToClientError(error, socket),
    frameworkErrors: (error, request, reply) => {
      openResponse(deps, request, reply)
      sendError(deps, request, reply, error)
    },
  })
  app.server.headersTimeout = HEAD_TIMEOUT_MS
  app.server.maxHeadersCount = MOST_HEADERS
  // Nothing is ever expected of this server but a response.
  app.server.on('checkExpectation', app.routing)
  readBodiesAsBytes(app)
  const connections = limitConnections(app.server, {
    ...deps.connectionLimit,
    waitsForClient: (socket) => unanswered.waitsForClient(socket),
  })
  const unanswered = beginInTurn(app.server, { onBusyChange: connections.setBusy })
  deps.drain.watch(app.server, unanswered)
  lingerAfterLast(app.server, unanswered)
  const respondToClientError = createClientErrorHandler({ ...deps, unanswered })
  const judging = judgeRequests(app.server, overload)
  measureLimits(deps.metrics, connections, judging)
  installPipeline(app, deps, judging)
  installPreflights(app, deps)
  for (const route of routes) mountRoute(app, { ...deps, judging }, route)
  app.setNotFoundHandler(refuseUnknownPath)
  app.setErrorHandler((error, request, reply) => sendError(deps, request, reply, error))
  recordResponses(app, deps)
  return app
}

function measureLimits(metrics: Metrics, connections: Connections, judging: Judging): void {
  metrics.gauge('http_connections_open', 'Open connections.', connections.openCount)
  metrics.counter(
    'http_connections_closed_total',
    'Connections that were closed because there were too many.',
    connections.closedCount,
  )
  metrics.counter(
    'http_requests_refused_total',
    'Requests that found the service overloaded.',
    judging.refusedCount,
  )
}

/** JSON is parsed by the pipeline, in its place in the order, and signatures need the bytes as they came. */
function readBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    /^application\/([\w.+-]+\+)?json\s*(;|$)/i,
    { parseAs: 'buffer' },
    (request, body, done) => {
      if (request.headers['content-encoding']) done(new AppError('UNSUPPORTED_MEDIA_TYPE'))
      else done(null, body)
    },
  )
}

function sendError(deps: HttpServerDeps, request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const appError = toAppError(error)
  // Overload is counted, not logged: its log would be one more load.
  if (appError.status >= 500 && error !== overloaded)
    deps.log.error({ err: error, requestId: request.id }, 'request failed')
  deps.metrics.countRefusal(appError.code)
  request.facts.errorCode = appError.code
  if (!reply.hasHeader('x-ratelimit-limit')) showLimit(deps, request, reply)
  const waitSeconds = retryAfterSeconds(appError)
  if (waitSeconds !== undefined) reply.header('Retry-After', waitSeconds)
  reply
    .code(appError.status)
    .header('Cache-Control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(toEnvelope(appError, { requestId: request.id, now: deps.clock.now() })))
}

/** One measurement and one line for every response, when it has left. */
function recordResponses(app: FastifyInstance, { metrics, accessLog, clock }: HttpServerDeps): void {
  const writeLine = createAccessLog(accessLog)
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId } = request
    const { route, principal } = request.facts
    const milliseconds = reply.elapsedTime
    const status = reply.statusCode
    metrics.observeRequest({ method, route, status }, milliseconds / 1000)
    writeLine({ requestId, method, route, status, milliseconds, ownerId: principal?.ownerId }, clock.now())
    done()
  })
}
