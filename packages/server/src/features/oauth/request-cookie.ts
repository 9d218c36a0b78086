import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'

/** As the provider names it, with its signature beside it. */
export const REQUEST_COOKIE = 'oauth_request'
/** Of one browser. Each is a tab in which a person has not decided yet. */
const MOST_REQUESTS = 8

/** Over https no other host of the domain can set it: otherwise it could make a person decide a request of somebody else. */
const prefixOf = (publicUrl: URL): string =>
  `${publicUrl.protocol === 'https:' ? '__Host-' : ''}${REQUEST_COOKIE}_`

/**
 * The provider has one cookie for all requests of a browser, so a second tab would end the first. The browser gets one for
 * each, named after the request, whose value is the provider's signature.
 */
export function nameCookie(response: KoaContextWithOIDC['response'], sent: string, publicUrl: URL): void {
  const cookies = [response.get('set-cookie') ?? []].flat()
  const find = (name: string) => cookies.find((cookie) => cookie.startsWith(`${name}=`))
  const [request, signature] = [find(REQUEST_COOKIE), find(`${REQUEST_COOKIE}.sig`)]
  if (!request || !signature) return
  const [, id = ''] = /^[^=]+=([^;]*)/.exec(request) ?? []
  const prefix = prefixOf(publicUrl)
  const kept = cookies.filter((cookie) => cookie !== request && cookie !== signature)
  const named = signature.replace(`${REQUEST_COOKIE}.sig=`, `${prefix}${id}=`)
  const tooMany = namesIn(sent, prefix).slice(0, -(MOST_REQUESTS - 1))
  const attributes = `; path=/; max-age=0; httponly${publicUrl.protocol === 'https:' ? '; secure' : ''}`
  response.set('set-cookie', [...kept, named, ...tooMany.map((name) => `${name}=${attributes}`)])
}

/** The browser sends the oldest first. */
const namesIn = (cookies: string, prefix: string): string[] =>
  cookies
    .split(/;\s*/)
    .map((cookie) => cookie.split('=')[0] ?? '')
    .filter((name) => name.startsWith(prefix))

/** Shows the provider the cookie of this request as its own, and no other. */
export function showCookie({ headers }: IncomingMessage, id: string, publicUrl: URL): void {
  const name = `${prefixOf(publicUrl)}${id}=`
  const found = headers.cookie?.split(/;\s*/).find((cookie) => cookie.startsWith(name))
  headers.cookie = found ? `${REQUEST_COOKIE}=${id}; ${REQUEST_COOKIE}.sig=${found.slice(name.length)}` : ''
}
