import { createHash } from 'node:crypto'
import { type GrantScope, grantScopes } from '@agent-marketplace/contract'

/** How many grants of one owner may work at the same time. */
export const MAX_GRANTS = 20
export const DEFAULT_GRANT_DAYS = 30

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long each lasts, in seconds. A refresh token lasts as long as its grant. */
export const lifetimes = {
  request: 15 * MINUTE,
  code: MINUTE,
  accessToken: HOUR,
  /** Of a grant whose code is not redeemed: the request and the code have ended by then. */
  unused: 20 * MINUTE,
  /** Of a client that registered itself and that nobody has allowed yet. */
  registration: DAY,
  /** Of one that somebody has allowed, beyond the end of its last grant: it can ask again without a new registration. */
  afterGrant: 30 * DAY,
}

/** How many there may be at once, of all callers together. */
export const mostAtOnce = { Client: 10_000, Interaction: 10_000 }
/** Of one grant: the newest are kept. */
export const MAX_TOKENS_OF_GRANT = 100
export const MAX_CLIENT_BYTES = 8_192

const CLIENT_ID_MAX_LENGTH = 500
/** What is wrong with a request that the provider would take. Codes come back in the query alone. */
export function flawOf({
  client_id: clientId,
  response_mode: mode,
}: Record<string, unknown>): string | undefined {
  if (String(clientId).length > CLIENT_ID_MAX_LENGTH) return 'the client_id is too long'
  return mode === undefined || mode === '' || mode === 'query' ? undefined : 'the response_mode must be query'
}

/** How many clients an address may register in a day. */
export const NEW_CLIENTS_PER_DAY = 200
/** How often an address may have a client registered or its document fetched, in a minute. */
export const NEW_CLIENTS_PER_MINUTE = 10

/** The parts of this service that tokens are for, by their paths. */
export const resourcePaths = ['/mcp', '/api'] as const
type ResourcePath = (typeof resourcePaths)[number]

export const resourceOf = (publicUrl: URL, path: ResourcePath): string => new URL(path, publicUrl).href

/** The resource that a call of this route is for. */
export const resourceOfRoute = (publicUrl: URL, route: string): string =>
  resourceOf(publicUrl, route === '/mcp' ? '/mcp' : '/api')

/** 256 random bits: nobody finds them by trying, so a plain hash keeps them. */
const tokenPattern = /^[\w-]{43}$/
export const isWellFormed = (token: string): boolean => tokenPattern.test(token)
export const hashOf = (value: string): Uint8Array => createHash('sha256').update(value).digest()

const SESSION_MARK = 'oauth:'
/** The session that a grant stands for. */
export const sessionIdOf = (grantId: string): string => `${SESSION_MARK}${grantId}`
export const isGrantSession = (sessionId: string): boolean => sessionId.startsWith(SESSION_MARK)
export const grantIdOf = (sessionId: string): string => sessionId.slice(SESSION_MARK.length)

/** Asked for where a client names no scope that we know: the least there is. */
export const DEFAULT_SCOPE: GrantScope = 'read'

/** Those that we know, in our order. */
export const knownScopes = (scope: unknown): GrantScope[] => {
  const named = typeof scope === 'string' ? scope.split(' ') : []
  return grantScopes.filter((known) => named.includes(known))
}

const NAME_MAX_LENGTH = 80
/** What a client calls itself, in one line that cannot pretend to be more than a name. */
export function nameOf(clientName: unknown, host: string): string {
  const name = typeof clientName === 'string' ? clientName.replaceAll(/[\p{C}\s]+/gu, ' ').trim() : ''
  return name === '' ? host : name.slice(0, NAME_MAX_LENGTH)
}

/** Where the person is sent back to: what distinguishes a client from another that took its name. */
export function hostOf(redirectUri: string): string {
  const url = new URL(redirectUri)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return url.protocol.slice(0, -1)
  return url.host
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']
export const isLoopback = ({ hostname }: URL): boolean => loopbackHosts.includes(hostname)

/** Whether nobody on the way can read what the client gets: without TLS nothing leaves the person's computer. */
export function isProtectedRedirect(redirectUri: string): boolean {
  const url = URL.parse(redirectUri)
  return url !== null && (url.protocol !== 'http:' || isLoopback(url))
}

/** Whether a program on the person's computer gets the code. Any such program can pretend to be another. */
export function isLocalRedirect(redirectUri: string): boolean {
  const url = new URL(redirectUri)
  return url.protocol !== 'https:' || isLoopback(url)
}
