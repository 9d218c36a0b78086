import { createHmac, generateKeyPairSync } from 'node:crypto'
import { grantScopes } from '@agent-marketplace/contract'
import Provider, { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log/log.ts'
import { createAdapter } from './adapter.ts'
import { issuerOf, paths } from './metadata.ts'
import { nameCookie, REQUEST_COOKIE } from './request-cookie.ts'
import {
  DEFAULT_SCOPE,
  flawOf,
  isLoopback,
  isProtectedRedirect,
  knownScopes,
  lifetimes,
  resourceOf,
  resourcePaths,
} from './rules.ts'

export interface ProviderDeps {
  db: Database
  /** Real time. */
  clock: Clock
  log: Log
  config: { publicUrl: URL; sessionSecret: string; previousSessionSecret: string | undefined }
  /** For the documents of clients. */
  fetch: typeof fetch
  /** Whether this request may have a document fetched. */
  allowFetch: (request: KoaContextWithOIDC['req']) => Promise<boolean>
}

/** Where a person decides. */
const consentPath = (requestId: string): string => `/consent/${requestId}`

const SECONDS_OF_DOCUMENT = { min: 3600, max: 3600 }
const SESSION_COOKIE = 'oauth_session'

/** Consent is required each time: what was allowed before says nothing about this request. */
const consent = new interactionPolicy.Prompt(
  { name: 'consent', requestable: true },
  new interactionPolicy.Check(
    'undecided',
    'the request is not decided',
    'consent_required',
    ({ oidc }) => oidc.result?.consent === undefined,
  ),
)

/** OAuth 2.1 as the library speaks it, with everything off that we do not offer. Its tokens are opaque, so it signs nothing. */
export function createProvider({ db, clock, log, config, fetch, allowFetch }: ProviderDeps): Provider {
  const { publicUrl } = config
  const resources = resourcePaths.map((path) => resourceOf(publicUrl, path))
  const cookie = { path: '/', signed: true, httpOnly: true, sameSite: 'lax' as const }

  const provider = new Provider(issuerOf(publicUrl), {
    adapter: createAdapter({ db, clock, errors }),
    fetch,
    jwks: { keys: [unusedKey()] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    cookies: {
      keys: cookieKeys(config),
      names: { session: SESSION_COOKIE, interaction: REQUEST_COOKIE, resume: 'oauth_resume' },
      short: cookie,
      long: cookie,
    },
    clientAuthMethods: ['none'],
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
    },
    scopes: [...grantScopes, 'offline_access'],
    claims: {},
    extraParams: {
      // A client may leave its scope to us (RFC 6749, 3.3). Its user could only deny a request for nothing.
      scope({ oidc: { params } }, scope) {
        if (params && knownScopes(scope).length === 0) params.scope = DEFAULT_SCOPE
      },
    },
    responseTypes: ['code'],
    pkce: { required: () => true },
    interactions: { policy: [consent], url: (_ctx, { uid }) => consentPath(uid) },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    clientBasedCORS: () => false,
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    // Whichever of its tokens a client revokes.
    revokeGrantPolicy: () => true,
    renderError: (ctx, { error, error_description: description }) => showError(ctx, error, description),
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      revocation: paths.revoke,
      registration: paths.register,
    },
    ttl: {
      AccessToken: lifetimes.accessToken,
      AuthorizationCode: lifetimes.code,
      Interaction: lifetimes.request,
      Session: lifetimes.request,
      RefreshToken: (ctx) => ctx.oidc.entities.Grant?.remainingTTL ?? lifetimes.accessToken,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      claimsParameter: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: SECONDS_OF_DOCUMENT,
        // There is no context when the page reads a request, whose client was let in when it began.
        allowFetch: async (ctx: KoaContextWithOIDC | undefined) => ctx === undefined || allowFetch(ctx.req),
        allowClient: (_ctx, { redirectUris = [] }) => redirectUris.every(isProtectedRedirect),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? resourceOf(publicUrl, '/mcp'),
        useGrantedResource: () => true,
        getResourceServerInfo({ oidc }, resource) {
          if ([oidc.params?.resource].flat().length > 1)
            throw new errors.InvalidTarget('a request is for one resource')
          if (!resources.includes(resource)) throw new errors.InvalidTarget()
          return { scope: grantScopes.join(' '), audience: resource, accessTokenFormat: 'opaque' }
        },
      },
    },
  })
  // The host and the protocol that callers use are those of PUBLIC_URL; the mount puts them in.
  provider.proxy = true
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'OAuth request failed'))
  provider.use(async (ctx, next) => {
    const flaw = ctx.path === paths.authorize ? flawOf(ctx.query) : undefined
    if (flaw) {
      ctx.status = 400
      return showError(ctx, 'invalid_request', flaw)
    }
    await next()
    forgetSession(ctx.response)
    if (ctx.path !== paths.authorize) return
    keepHere(ctx.response)
    nameCookie(ctx.response, ctx.get('cookie'), publicUrl)
  })
  return provider
}

function showError(ctx: Pick<KoaContextWithOIDC, 'type' | 'body'>, error: string, why?: string): void {
  ctx.type = 'text/plain; charset=utf-8'
  ctx.body = `This request cannot be granted (${error}): ${why ?? 'it is not valid'}.\n`
}

/**
 * Anybody can name themselves a client, with any site to go back to, and nobody has decided anything yet: a link to us must
 * not be a link to there. A program on the same computer gets its error.
 */
function keepHere(response: KoaContextWithOIDC['response']): void {
  const location = URL.parse(response.get('location'))
  if (!location || isLoopback(location)) return
  const { searchParams } = location
  response.remove('location')
  response.status = 400
  showError(
    response,
    searchParams.get('error') ?? 'invalid_request',
    searchParams.get('error_description') ?? undefined,
  )
}

/** The library wants a key for ID tokens. None is ever issued, so a new one is made each time and kept nowhere. */
function unusedKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ format: 'jwk' })
}

/** Signs which browser a request for consent belongs to. A former secret is good for the minutes that such a request lasts. */
function cookieKeys({ sessionSecret, previousSessionSecret }: ProviderDeps['config']): string[] {
  const secrets = [sessionSecret, previousSessionSecret].filter((secret) => secret !== undefined)
  return secrets.map((secret) => createHmac('sha256', secret).update('oauth cookies').digest('base64url'))
}

/** The provider keeps no session, so no browser needs its cookie. */
function forgetSession(response: KoaContextWithOIDC['response']): void {
  const cookies = [response.get('set-cookie') ?? []].flat()
  const kept = cookies.filter((cookie) => !cookie.startsWith(SESSION_COOKIE))
  if (kept.length === cookies.length) return
  response.remove('set-cookie')
  if (kept.length > 0) response.set('set-cookie', kept)
}
