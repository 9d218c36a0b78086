import {
  AppError,
  AUTH_FLOOD_LIMIT_PER_MINUTE,
  type Endpoint,
  type RateClass,
  rateLimitsPerMinute,
} from '@agent-marketplace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestFacts } from '../request-facts.ts'
import { type RateLimiter, type RateVerdict, setRateHeaders } from './rate-limit.ts'

export interface LimitDeps {
  limiter: RateLimiter
  rateLimitsEnforced: boolean
}

/** The rate headers of a response that does not count, or that failed before it was counted. */
export function showLimit(deps: LimitDeps, request: FastifyRequest, reply: FastifyReply): void {
  const rateClass = rateClassOf(request, request.facts.endpoint)
  setRateHeaders(reply, deps.limiter.peek(`${rateClass}:${request.facts.clientAddress}`, limitOf(rateClass)))
}

/**
 * Unknown paths under /api count like any other call there, and so do /mcp and /oauth; pages, files and health checks do not count.
 * By the path of the route, because that of the request can be spelled in many ways.
 */
export function rateClassOf(
  { routeOptions, url }: FastifyRequest,
  endpoint: Endpoint | undefined,
): RateClass {
  if (endpoint) return endpoint.rate
  if (routeOptions.config?.isPreflight) return 'none'
  const path = routeOptions.url ?? url
  return path.startsWith('/api/') || isOAuth(path) || path === '/mcp' ? 'api' : 'none'
}

const isOAuth = (path: string): boolean => path.startsWith('/oauth/')

function limitOf(rateClass: RateClass): number {
  if (rateClass === 'auth') return AUTH_FLOOD_LIMIT_PER_MINUTE
  return rateLimitsPerMinute[rateClass === 'none' ? 'api' : rateClass]
}

/** Limits are counted in memory, or by Redis in its own time; only then is there something to wait for. */
export function limitRequest(
  deps: LimitDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  rateClass: RateClass,
): Promise<void> | undefined {
  if (rateClass === 'none') return undefined
  const { principal, clientAddress, countedFor } = request.facts
  // A request for consent belongs to nobody yet: a few accounts of one machine must not make more of them than one.
  if (!principal || rateClass === 'auth' || isOAuth(request.facts.route)) {
    return enforce(deps, reply, `${rateClass}:${countedFor ?? clientAddress}`, limitOf(rateClass))
  }
  // A credential with a higher limit is counted by itself, so that it neither spends the owner's usual limit nor lends to it.
  const { ownerId, rateFactor = 1 } = principal
  const caller = rateFactor === 1 ? ownerId : `${ownerId}x${rateFactor}`
  return enforce(deps, reply, `${rateClass}:${caller}`, limitOf(rateClass) * rateFactor)
}

/** Sign-in is limited by address and wallet together, so that nobody can lock another wallet out from elsewhere. */
export async function limitWallet(
  deps: LimitDeps,
  facts: RequestFacts,
  body: unknown,
  reply: FastifyReply,
): Promise<void> {
  const wallet = (body as { walletAddress?: unknown } | null | undefined)?.walletAddress
  const named = typeof wallet === 'string' ? wallet.toLowerCase().slice(0, 64) : ''
  await enforce(deps, reply, `auth:${facts.clientAddress}:${named}`, rateLimitsPerMinute.auth)
}

function enforce(
  deps: LimitDeps,
  reply: FastifyReply,
  key: string,
  limit: number,
): Promise<void> | undefined {
  const counted = deps.limiter.hit(key, limit)
  if (counted instanceof Promise) return counted.then((verdict) => judge(deps, reply, verdict))
  judge(deps, reply, counted)
  return undefined
}

function judge(deps: LimitDeps, reply: FastifyReply, verdict: RateVerdict): void {
  setRateHeaders(reply, verdict)
  if (verdict.allowed || !deps.rateLimitsEnforced) return
  throw new AppError('RATE_LIMIT_EXCEEDED', { details: { retryAfterSeconds: verdict.retryAfterSeconds } })
}
