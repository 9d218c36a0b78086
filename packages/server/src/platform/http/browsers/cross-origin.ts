import type { FastifyContextConfig, FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { refuseUnknownPath } from '../mount.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Pages of any site may call it, and cookies from there do not count; see Endpoint.openToPages. */
    openToPages?: boolean
    isPreflight?: boolean
  }
}

/** What is this service's own, and what it trusts like that. */
export interface Site {
  publicUrl: URL
  /** Origins of other sites that may call with cookies. */
  corsOrigins: readonly string[]
}

/** Whether a page of this service sent it, or none at all: programs send no Origin. */
export function isOwnOrigin({ origin, host }: FastifyRequest['headers'], site: Site): boolean {
  if (origin === undefined || origin === site.publicUrl.origin || site.corsOrigins.includes(origin))
    return true
  return host !== undefined && URL.parse(origin)?.host === host
}

const exposed = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Idempotent-Replayed',
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  'EXTENSION-RESPONSES',
  'Location',
  'Preference-Applied',
  'Content-Disposition',
  'ETag',
  'A2A-Extensions',
  'X-A2A-Extensions',
].join(', ')

/** What clients of x402, A2A, MCP and this API send. One client of x402 sends the header for responses in its requests, too. */
const allowed = [
  'Accept',
  'Content-Type',
  'Authorization',
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'SIGN-IN-WITH-X',
  'Access-Control-Expose-Headers',
  'Prefer',
  'Idempotency-Key',
  'If-None-Match',
  'Range',
  'X-Request-Id',
  'X-CSRF-Token',
  'A2A-Version',
  'A2A-Extensions',
  'X-A2A-Extensions',
  'MCP-Protocol-Version',
].join(', ')

/** As long as browsers keep a permission at most. */
const PREFLIGHT_SECONDS = 7200

const openHeaders = { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed }

export const isOpenToPages = (config: FastifyContextConfig | undefined): boolean =>
  config?.openToPages === true || config?.endpoint?.openToPages === true

/** Pages of trusted sites may read everything, with cookies; pages of all others what is open to them, without. */
export function crossOriginHeadersOf(
  { headers: { origin }, routeOptions: { config } }: FastifyRequest,
  { corsOrigins }: Pick<Site, 'corsOrigins'>,
): Readonly<Record<string, string>> | undefined {
  if (origin !== undefined && corsOrigins.includes(origin)) {
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': exposed,
    }
  }
  return isOpenToPages(config) ? openHeaders : undefined
}

/** Browsers ask before they send what no form could. Added before the routes, each of which gets its permission. */
export function installPreflights(app: FastifyInstance, { corsOrigins }: Pick<Site, 'corsOrigins'>): void {
  const methodsByUrl = new Map<string, Set<string>>()

  const permit = (url: string, config: FastifyContextConfig, methodsOf: () => Iterable<string>): void =>
    void app.route({
      method: 'OPTIONS',
      url,
      config: { ...config, isPreflight: true },
      handler: (request, reply) => {
        if (!reply.hasHeader('access-control-allow-origin')) refuseUnknownPath(request)
        return reply
          .code(204)
          .headers({
            'access-control-allow-methods': [...methodsOf()].join(', '),
            'access-control-allow-headers': allowed,
            'access-control-max-age': PREFLIGHT_SECONDS,
            'cache-control': 'no-store',
          })
          .send()
      },
    })

  app.addHook('onRoute', ({ url, method, config }) => {
    const methods = [method].flat().filter((name: HTTPMethods) => name !== 'OPTIONS')
    if (!isOpenToPages(config) || methods.length === 0) return
    const known = methodsByUrl.get(url)
    for (const name of methods) known?.add(name)
    if (known) return
    const own = new Set<string>(methods)
    methodsByUrl.set(url, own)
    permit(url, { openToPages: true }, () => own)
  })

  if (corsOrigins.length === 0) return
  permit('*', {}, () => ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
  app.addHook('onSend', (_request, reply, payload, done) => {
    const vary = reply.getHeader('vary')
    reply.header('vary', vary === undefined ? 'Origin' : `${vary}, Origin`)
    done(null, payload)
  })
}
