import type { Core } from '../core.ts'
import type { EndpointId, ResponseOf, Route } from '../endpoints.ts'
import { MarketplaceError } from '../errors.ts'
import { routes } from '../generated/routes.ts'
import { type Exchange, type Prepared, prepare } from './prepare.ts'
import { readResponseText } from './readBody.ts'
import { readError } from './readError.ts'
import { withRetries } from './retry.ts'

export interface Exchanged<Id extends EndpointId> {
  status: number
  headers: Headers
  response: ResponseOf<Id>
}

/** Makes one attempt, with the credential that it finds. */
export type Authorize = <Result>(attempt: (token: string | undefined) => Promise<Result>) => Promise<Result>

/** Sends a call, and again while that is safe and may help. */
export function send<Id extends EndpointId>(
  core: Core,
  id: Id,
  call: Exchange,
  authorize: Authorize = (attempt) => attempt(undefined),
): Promise<Exchanged<Id>> {
  const route = routes[id]
  const prepared = prepare(core, route, call)
  // Reads and changes repeat without harm, and so does a signed-in POST by its key. A nonce more does no harm either.
  const isRepeatable = route.method !== 'POST' || !route.isPublic || id === 'requestNonce'
  return withRetries(core, { signal: call.signal, isRepeatable }, () =>
    authorize((token) => sendOnce<Id>(core, route, call, prepared, token)),
  )
}

async function sendOnce<Id extends EndpointId>(
  core: Core,
  route: Route,
  { signal, expectedStatus, timeoutMs = core.timeoutMs, fetch = core.fetch }: Exchange,
  { url, method, headers, body }: Prepared,
  token: string | undefined,
): Promise<Exchanged<Id>> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new Error(`nothing within ${timeoutMs} ms`)), timeoutMs)
  try {
    const response = await fetch(url, {
      method,
      headers: token === undefined ? headers : { ...headers, ...credentialHeader(core, token) },
      ...(body === undefined ? {} : { body }),
      // Where the token says who calls, a cookie of the page must not get in its way.
      credentials: core.usesCookie ? 'same-origin' : 'omit',
      // The service leads nowhere else, and a signature or token is for it alone.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
    })
    refuseRedirect(response, url)
    const isGood = response.ok || response.status === expectedStatus
    if (isGood && route.isRaw) return exchanged(response, response)
    const text = await readResponseText(response)
    if (!isGood) throw readError(response, text)
    return exchanged(response, JSON.parse(text))
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof MarketplaceError) throw error
    throw new MarketplaceError('NETWORK_ERROR', { message: `No response from ${url}.`, cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** A browser shows no more of a redirect than that it is one. */
function refuseRedirect({ type, status, headers }: Response, url: string): void {
  if (type !== 'opaqueredirect' && (status < 300 || status >= 400)) return
  throw new MarketplaceError('UNEXPECTED_RESPONSE', {
    message: `${url} leads elsewhere, and redirects are not followed. Check baseUrl.`,
    details: { location: headers.get('location') },
  })
}

function credentialHeader({ usesCookie }: Core, token: string): Record<string, string> {
  return usesCookie ? { 'x-csrf-token': token } : { authorization: `Bearer ${token}` }
}

/** The service validates every response against the contract before sending it, so the type can be trusted. */
function exchanged<Id extends EndpointId>({ status, headers }: Response, body: unknown): Exchanged<Id> {
  return { status, headers, response: body as ResponseOf<Id> }
}
