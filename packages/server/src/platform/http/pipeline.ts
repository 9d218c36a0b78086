import type { Endpoint, RateClass } from '@agent-marketplace/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkAccess, checkCsrf, checkKey, hasScope, maySeeOwn, neededScopes, notSignedIn } from './access.ts'
import { crossOriginHeadersOf, isOpenToPages, isOwnOrigin, type Site } from './browsers/cross-origin.ts'
import { type Challenge, writeChallenge } from './challenge.ts'
import { type Credential, readCredential } from './credential.ts'
import type { Drain } from './drain.ts'
import { limitBodyTime, tryParse } from './forms/body.ts'
import { requireHost } from './host.ts'
import { addressedRoute } from './inner-call.ts'
import type { ClientAddressOf } from './limits/client-address.ts'
import type { Judging } from './limits/judging.ts'
import { type LimitDeps, limitRequest, limitWallet, rateClassOf, showLimit } from './limits/request-limits.ts'
import type { Authenticate } from './principal.ts'
import type { RequestFacts } from './request-facts.ts'
import type { RequestIdOf } from './request-id.ts'

/** How a call shows what it is for: by a token of its own, or by a signed URL. Nothing of it is checked yet. */
export interface OwnCall {
  token: string | undefined
  params: unknown
  query: unknown
}

export interface PipelineDeps extends LimitDeps, Site {
  authenticate: Authenticate
  /** Where clients read how to get a token for the calls of the contract. */
  resourceMetadata: string
  /** What a valid token, or a valid URL, of an endpoint with tokens of its own stands for; undefined for any other. */
  subjectOf: (call: OwnCall) => Promise<string | undefined>
  clientAddressOf: ClientAddressOf
  securityHeaders: Readonly<Record<string, string>>
  requestIdOf: RequestIdOf
  /** Within which a body that is read into memory must come in. */
  bodyTimeoutMs?: number
  drain: Pick<Drain, 'endsConnection'>
  /** Refuses a request that was addressed to another host, or sent by a page that may not; undefined lets all in. */
  admit: ((request: FastifyRequest) => void) | undefined
}

/**
 * The way of every request, in order. Nothing else in the service looks at headers, limits or credentials.
 *
 *   1. request id, security headers,
 *      which pages may read it              on every response, whatever happens next
 *   2. overload                             503, for what counts against a rate limit
 *   3. host and origin                      421, 403, where the service is particular about them
 *   4. rate limit and its headers           429 comes before any further refusal
 *   5. credential                           401
 *   6. CSRF, account status, KYC, role      403
 *   7. body as JSON                         400, 413, 415; 503 where there is no room when it comes late
 *   8. parameters and body by schema        400 (in mount.ts, with the endpoint's own validators)
 *   9. handler, presenter                   (mount.ts)
 *  10. error envelope                       (server.ts)
 */
export function installPipeline(app: FastifyInstance, deps: PipelineDeps, judging: Judging): void {
  app.decorateRequest('facts')

  app.addHook('onRequest', async (request, reply) => {
    const { facts, rateClass } = openResponse(deps, request, reply)
    if (rateClass === 'none') judging.exempt(request.raw)
    const turn = rateClass === 'none' ? undefined : judging.turnOf(request.raw)
    if (turn) await turn
    requireHost(request)
    deps.admit?.(request)
    // The limit of a signed-in owner is counted by owner, so the credential is read first and judged after the limit.
    const credential = credentialOf(deps, request)
    if (facts.endpoint) reply.headers(cacheHeadersOf(facts.endpoint, credential))
    if (credential) {
      facts.identified = await deps.authenticate(credential.token, arrivalOf(facts))
      facts.principal = facts.identified
    }
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
      else if (principal && endpoint.method === 'GET' && !maySeeOwn(endpoint, principal))
        facts.principal = undefined
      return
    }
    if (!credential || !principal) {
      challenge(deps, reply, endpoint, credential && 'invalid_token')
      throw notSignedIn(endpoint, credential)
    }
    checkCsrf(request, credential, principal)
    if (principal.clientId !== undefined && !hasScope(endpoint, principal))
      challenge(deps, reply, endpoint, 'insufficient_scope')
    checkAccess(endpoint, principal)
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    // The next request of this client goes to another process.
    if (deps.drain.endsConnection(request.raw)) reply.header('Connection', 'close')
    // How long it takes to send is its client's matter.
    judging.leave(request.raw, { isRefused: request.facts.errorCode === 'RATE_LIMIT_EXCEEDED' })
    done(null, payload)
  })

  app.addHook('preParsing', (request, reply, payload, done) => {
    judging.awaitBody(request.raw)
    if (!request.facts.endpoint?.streamsBody) limitBodyTime(app, request.raw, reply.raw, deps.bodyTimeoutMs)
    done(null, payload)
  })

  // In callback style, because most calls have no body and an await would cost them more than the hook does.
  app.addHook('preValidation', (request, reply, done) => {
    const { facts } = request
    const isCounted = rateClassOf(request, facts.endpoint) !== 'none'
    const refusal = isCounted ? judging.refusalOf(request.raw) : undefined
    if (refusal) return void refusal.catch(done)
    facts.rawBody = Buffer.isBuffer(request.body) ? request.body : undefined
    if (!facts.endpoint?.body) return done()
    readBody(deps, facts, reply).then(() => done(), done)
  })
}

const arrivalOf = ({ clientAddress, route }: RequestFacts) => ({
  clientAddress,
  route: addressedRoute(route),
})

/** Names what a token needs for this call. What concerns the whole account needs the wallet, whatever the token. */
function challenge(
  { resourceMetadata }: PipelineDeps,
  reply: FastifyReply,
  endpoint: Endpoint,
  error: Challenge['error'],
): void {
  const scope = neededScopes(endpoint).find((needed) => needed !== 'write')
  reply.header('WWW-Authenticate', writeChallenge({ resourceMetadata, error, scope }))
}

async function readBody(deps: PipelineDeps, facts: RequestFacts, reply: FastifyReply): Promise<void> {
  const parsed = tryParse(facts.rawBody)
  if (facts.endpoint?.rate === 'auth') await limitWallet(deps, facts, parsed.value, reply)
  if (parsed.error) throw parsed.error
  facts.body = parsed.value
}

/** A page that may call without cookies does not act by those that its visitor's browser has. */
function credentialOf(site: Site, request: FastifyRequest): Credential | undefined {
  const credential = readCredential(request)
  const isForeign = isOpenToPages(request.routeOptions.config) && !isOwnOrigin(request.headers, site)
  return isForeign && credential?.kind === 'cookie' ? undefined : credential
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
    identified: undefined,
    errorCode: undefined,
    countedFor: undefined,
    mustShow: undefined,
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
