import {
  AppError,
  AUTH_FLOOD_LIMIT_PER_MINUTE,
  type Endpoint,
  invalidField,
  type RateClass,
  rateLimitsPerMinute,
} from '@agent-marketplace/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkAccess, checkCsrf, checkKey, notSignedIn } from './access.ts'
import { type Credential, readCredential } from './credential.ts'
import { crossOriginHeadersOf, isOpenToPages, isOwnOrigin, type Site } from './cross-origin.ts'
import { parseJsonBody } from './forms/json-body.ts'
import type { ClientAddressOf } from './limits/client-address.ts'
import { type RateLimiter, type RateVerdict, setRateHeaders } from './limits/rate-limit.ts'
import type { Authenticate, Principal } from './principal.ts'
import type { RequestIdOf } from './request-id.ts'

/** What the pipeline has found out about a request by the time its handler runs. */
export interface RequestFacts {
  endpoint: Endpoint | undefined
  /** The path as it is declared, for metrics and logs. */
  route: string
  clientAddress: string
  principal: Principal | undefined
  /** What a call with a token of its own is counted for, in place of its address. */
  countedFor: string | undefined
  body: unknown
  rawBody: Buffer | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    facts: RequestFacts
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

/** How a call shows what it is for: by a token of its own, or by a signed URL. Nothing of it is checked yet. */
export interface OwnCall {
  token: string | undefined
  params: unknown
  query: unknown
}

export interface PipelineDeps extends Site {
  limiter: RateLimiter
  rateLimitsEnforced: boolean
  authenticate: Authenticate
  /** What a valid token, or a valid URL, of an endpoint with tokens of its own stands for; undefined for any other. */
  subjectOf: (call: OwnCall) => Promise<string | undefined>
  clientAddressOf: ClientAddressOf
  securityHeaders: Readonly<Record<string, string>>
  requestIdOf: RequestIdOf
  /** Within which a body that is read into memory must come in. */
  bodyTimeoutMs?: number
  /** Refuses a request that was addressed to another host, or sent by a page that may not; undefined lets all in. */
  admit: ((request: FastifyRequest) => void) | undefined
}

/**
 * The way of every request, in order. Nothing else in the service looks at headers, limits or credentials.
 *
 *   1. request id, security headers,
 *      which pages may read it              on every response, whatever happens next
 *   2. host and origin                      421, 403, where the service is particular about them
 *   3. rate limit and its headers           429 comes before any further refusal
 *   4. credential                           401
 *   5. CSRF, account status, KYC, role      403
 *   6. body as JSON                         400, 413, 415
 *   7. parameters and body by schema        400 (in mount.ts, with the endpoint's own validators)
 *   8. handler, presenter                   (mount.ts)
 *   9. error envelope                       (server.ts)
 */
export function installPipeline(app: FastifyInstance, deps: PipelineDeps): void {
  app.decorateRequest('facts')

  app.addHook('onRequest', async (request, reply) => {
    const { facts, rateClass } = openResponse(deps, request, reply)
    requireHost(request)
    deps.admit?.(request)
    // The limit of a signed-in owner is counted by owner, so the credential is read first and judged after the limit.
    const credential = credentialOf(deps, request)
    if (facts.endpoint) reply.headers(cacheHeadersOf(facts.endpoint, credential))
    if (credential) facts.principal = await deps.authenticate(credential.token, facts.clientAddress)
    if (facts.endpoint?.takesOwnToken) {
      const token = credential?.kind === 'bearer' ? credential.token : undefined
      facts.countedFor = await deps.subjectOf({ token, params: request.params, query: request.query })
    }
    const counting = limitRequest(deps, request, reply, rateClass)
    if (counting) await counting

    const { endpoint, principal } = facts
    if (!endpoint) return
    if (endpoint.access === 'public') {
      // What anybody may read is open to every key; what is paid for is not.
      if (principal && endpoint.keys && endpoint.keys.money !== 'none') checkKey(endpoint, principal)
      return
    }
    if (!credential || !principal) throw notSignedIn(endpoint, credential)
    checkCsrf(request, credential, principal)
    checkAccess(endpoint, principal)
  })

  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!request.facts.endpoint?.streamsBody) limitBodyTime(app, request.raw, reply.raw, deps.bodyTimeoutMs)
    done(null, payload)
  })

  // In callback style, because most calls have no body and an await would cost them more than the hook does.
  app.addHook('preValidation', (request, reply, done) => {
    const { facts } = request
    facts.rawBody = Buffer.isBuffer(request.body) ? request.body : undefined
    if (!facts.endpoint?.body) return done()
    readBody(deps, facts, reply).then(() => done(), done)
  })
}

async function readBody(deps: PipelineDeps, facts: RequestFacts, reply: FastifyReply): Promise<void> {
  const parsed = tryParse(facts.rawBody)
  if (facts.endpoint?.rate === 'auth') await limitWallet(deps, facts, parsed, reply)
  if (parsed.error) throw parsed.error
  facts.body = parsed.value
}

/** What is read into memory is there within this time. */
export const BODY_TIMEOUT_MS = 30_000

/** As Node does it for requests of all kinds, which here must be as long as the largest file takes. */
function limitBodyTime(
  { server }: FastifyInstance,
  raw: FastifyRequest['raw'],
  response: FastifyReply['raw'],
  timeoutMs = BODY_TIMEOUT_MS,
): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers
  if (raw.complete || (length === '0' && encoding === undefined)) return
  const error = () => Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  const timer = setTimeout(() => server.emit('clientError', error(), raw.socket), timeoutMs)
  const clear = () => clearTimeout(timer)
  raw.once('end', clear)
  // A request that is refused may have a body that nobody reads to its end.
  response.once('finish', clear).once('close', clear)
}

/** A page that may call without cookies does not act by those that its visitor's browser has. */
function credentialOf(site: Site, request: FastifyRequest): Credential | undefined {
  const credential = readCredential(request)
  const isForeign = isOpenToPages(request.routeOptions.config) && !isOwnOrigin(request.headers, site)
  return isForeign && credential?.kind === 'cookie' ? undefined : credential
}

/** HTTP/1.1 asks for exactly one in every request; of several, each proxy could believe another one. */
function requireHost({ headers, raw }: FastifyRequest): void {
  if (headers.host === undefined && raw.httpVersion !== '1.0') throw invalidField('Host', 'is required')
  if (countHosts(raw.rawHeaders) > 1) throw invalidField('Host', 'must be sent once')
}

/** Names stand at the even places. Node keeps the first Host alone in `headers`. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** Which form is sent depends on Accept. What is not the same for everyone is not cached by proxies. */
const openHeaders = { vary: 'Accept' }
const privateHeaders = { vary: 'Accept', 'cache-control': 'no-store' }

function cacheHeadersOf({ access, method }: Endpoint, credential: Credential | undefined) {
  return access === 'public' && method === 'GET' && !credential ? openHeaders : privateHeaders
}

/** What every response carries, also one to a request that the framework itself refuses before any hook runs. */
export function openResponse(
  deps: PipelineDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): { facts: RequestFacts; rateClass: RateClass } {
  const { config, url } = request.routeOptions
  request.facts = {
    endpoint: config?.endpoint,
    route: url ?? 'unknown',
    clientAddress: deps.clientAddressOf(request),
    principal: undefined,
    countedFor: undefined,
    body: undefined,
    rawBody: undefined,
  }
  reply.header('x-request-id', request.id)
  reply.headers(deps.securityHeaders)
  const crossOrigin = crossOriginHeadersOf(request, deps)
  if (crossOrigin) reply.headers(crossOrigin)
  const rateClass = rateClassOf(request, request.facts.endpoint)
  if (rateClass === 'none') showLimit(deps, request, reply)
  return { facts: request.facts, rateClass }
}

/** The rate headers of a response that does not count, or that failed before it was counted. */
export function showLimit(deps: PipelineDeps, request: FastifyRequest, reply: FastifyReply): void {
  const rateClass = rateClassOf(request, request.facts.endpoint)
  setRateHeaders(reply, deps.limiter.peek(`${rateClass}:${request.facts.clientAddress}`, limitOf(rateClass)))
}

/**
 * Unknown paths under /api count like any other call there, and so does /mcp; pages, files and health checks do not count at all.
 * By the path of the route, because that of the request can be spelled in many ways.
 */
function rateClassOf({ routeOptions, url }: FastifyRequest, endpoint: Endpoint | undefined): RateClass {
  if (endpoint) return endpoint.rate
  if (routeOptions.config?.isPreflight) return 'none'
  const path = routeOptions.url ?? url
  return path.startsWith('/api/') || path === '/mcp' ? 'api' : 'none'
}

function limitOf(rateClass: RateClass): number {
  if (rateClass === 'auth') return AUTH_FLOOD_LIMIT_PER_MINUTE
  return rateLimitsPerMinute[rateClass === 'none' ? 'api' : rateClass]
}

/** Limits are counted in memory, or by Redis in its own time; only then is there something to wait for. */
function limitRequest(
  deps: PipelineDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  rateClass: RateClass,
): Promise<void> | undefined {
  if (rateClass === 'none') return undefined
  const { principal, clientAddress, countedFor } = request.facts
  if (!principal || rateClass === 'auth') {
    return enforce(deps, reply, `${rateClass}:${countedFor ?? clientAddress}`, limitOf(rateClass))
  }
  // A credential with a higher limit is counted by itself, so that it neither spends the owner's usual limit nor lends to it.
  const { ownerId, rateFactor = 1 } = principal
  const caller = rateFactor === 1 ? ownerId : `${ownerId}x${rateFactor}`
  return enforce(deps, reply, `${rateClass}:${caller}`, limitOf(rateClass) * rateFactor)
}

/** Sign-in is limited by address and wallet together, so that nobody can lock another wallet out from elsewhere. */
async function limitWallet(
  deps: PipelineDeps,
  facts: RequestFacts,
  parsed: Parsed,
  reply: FastifyReply,
): Promise<void> {
  const wallet = (parsed.value as { walletAddress?: unknown } | null | undefined)?.walletAddress
  const named = typeof wallet === 'string' ? wallet.toLowerCase().slice(0, 64) : ''
  await enforce(deps, reply, `auth:${facts.clientAddress}:${named}`, rateLimitsPerMinute.auth)
}

function enforce(
  deps: PipelineDeps,
  reply: FastifyReply,
  key: string,
  limit: number,
): Promise<void> | undefined {
  const counted = deps.limiter.hit(key, limit)
  if (counted instanceof Promise) return counted.then((verdict) => judge(deps, reply, verdict))
  judge(deps, reply, counted)
  return undefined
}

function judge(deps: PipelineDeps, reply: FastifyReply, verdict: RateVerdict): void {
  setRateHeaders(reply, verdict)
  if (verdict.allowed || !deps.rateLimitsEnforced) return
  throw new AppError('RATE_LIMIT_EXCEEDED', { details: { retryAfterSeconds: verdict.retryAfterSeconds } })
}

interface Parsed {
  value?: unknown
  error?: AppError
}

function tryParse(rawBody: Buffer | undefined): Parsed {
  if (!rawBody || rawBody.length === 0) return {}
  try {
    return { value: parseJsonBody(rawBody) }
  } catch (error) {
    if (error instanceof AppError) return { error }
    throw error
  }
}
