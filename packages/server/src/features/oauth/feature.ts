import { AppError } from '@agent-marketplace/contract'
import type { FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import type { Feature } from '../../house/feature.ts'
import type { Base } from '../../house/ground.ts'
import { createMemoryRateLimiter } from '../../platform/http/limits/rate-limit.ts'
import { createGuardedCall } from '../../platform/outbound/guarded-call.ts'
import { asFetch } from '../../platform/outbound/guarded-fetch.ts'
import { createConsent } from './consent.ts'
import { createGrantEnding } from './ended-grants.ts'
import { createGrants, type Grants, type GrantsDeps } from './grants.ts'
import { registerOAuth } from './mount.ts'
import { removeExpired } from './records-store.ts'
import { oauthRoutes } from './routes.ts'
import { isGrantSession, NEW_CLIENTS_PER_DAY, NEW_CLIENTS_PER_MINUTE } from './rules.ts'

const CLEANING_SECONDS = 60
const DAY_SECONDS = 24 * 3600
const REMOVED_AT_ONCE = 5_000
const DOCUMENT_TIMEOUT_MS = 2_500
const DOCUMENT_MAX_BYTES = 32_768

interface Deps extends Base {
  budgets: GrantsDeps['budgets']
  apiKeys: Pick<GrantsDeps, 'rateFactorOf'>
}

interface Api extends Pick<Grants, 'authenticate' | 'isLive' | 'isToken'> {
  isGrantSession: typeof isGrantSession
}

/** Clients that act for an owner, after consent on a page of this service. */
export function defineFeature(deps: Deps): Feature<Api> {
  const { db, log, config, limiter, newId, wallClock: clock, budgets } = deps
  const { publicUrl, rateLimitsEnforced } = config
  const grants = createGrants({
    db,
    clock,
    newId,
    publicUrl,
    budgets,
    rateFactorOf: deps.apiKeys.rateFactorOf,
    areGuessesLimited: rateLimitsEnforced,
  })

  const addresses = new WeakMap<FastifyRequest['raw'], string>()
  // In each process: a bound for those who keep on, not a count that anybody reads.
  const registrations = createMemoryRateLimiter(clock, DAY_SECONDS)
  const takeNewClient = async (clientAddress: string) => {
    const verdict = await limiter.hit(`oauth-clients:${clientAddress}`, NEW_CLIENTS_PER_MINUTE)
    return { ...verdict, allowed: verdict.allowed || !rateLimitsEnforced }
  }
  const callForDocument =
    deps.callForDocument ??
    createGuardedCall({
      allowsLocal: config.mode === 'sandbox',
      userAgent: 'agent-marketplace-oauth/1.0',
      timeoutMs: DOCUMENT_TIMEOUT_MS,
      readLimitBytes: () => DOCUMENT_MAX_BYTES,
    })

  let loading: Promise<Provider> | undefined
  const loadProvider = () => {
    loading ??= import('./provider.ts').then(({ createProvider }) =>
      createProvider({
        db,
        clock,
        log,
        config,
        fetch: asFetch(callForDocument),
        allowFetch: async (request) => (await takeNewClient(addresses.get(request) ?? '')).allowed,
      }),
    )
    return loading
  }
  const consent = createConsent({ publicUrl, loadProvider, grants, clock })

  return {
    api: { ...grants, isGrantSession },
    routes: oauthRoutes({ consent, grants }),
    ticks: [
      {
        name: 'oauth-expired',
        seconds: CLEANING_SECONDS,
        handler: async () => void (await removeExpired(db, clock.now(), REMOVED_AT_ONCE)),
      },
      { name: 'oauth-ended', seconds: CLEANING_SECONDS, handler: createGrantEnding({ db, clock }) },
    ],
    httpHooks: [
      (http) =>
        registerOAuth(http, {
          publicUrl,
          loadProvider,
          async checkRegistration(clientAddress) {
            const ofMinute = await takeNewClient(clientAddress)
            const ofDay = await registrations.hit(clientAddress, NEW_CLIENTS_PER_DAY)
            const { allowed, retryAfterSeconds } = ofMinute.allowed ? ofDay : ofMinute
            if (!allowed && rateLimitsEnforced)
              throw new AppError('RATE_LIMIT_EXCEEDED', { details: { retryAfterSeconds } })
          },
          noteAddress: (request, clientAddress) => void addresses.set(request, clientAddress),
        }),
    ],
  }
}
