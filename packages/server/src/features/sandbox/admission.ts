import { isIP } from 'node:net'
import { AppError } from '@agent-marketplace/contract'
import type { FastifyRequest } from 'fastify'

export interface AdmissionDeps {
  publicUrl: URL
  /** Names, without a port, that this sandbox is reached by on purpose. */
  allowedHosts: readonly string[]
  /** Origins of other sites that may call with cookies anyway. */
  corsOrigins: readonly string[]
}

/** Extensions are no web pages: a wallet of the browser speaks to the chain from one of these. */
const extensionOrigin = /^(?:chrome|moz|safari-web)-extension:\/\//
const loopback = new Set(['localhost', '127.0.0.1', '::1'])

/**
 * Who may call a sandbox, which gives private keys to any caller and moves time on request. A request must name a
 * host that is this machine or was allowed, because a name of somebody else's that resolves to us is how a web page
 * reaches a service behind its visitor's firewall. Calls with the sandbox's powers must not come from another site.
 */
export function createSandboxAdmission({ publicUrl, allowedHosts, corsOrigins }: AdmissionDeps) {
  const named = new Set([bareHost(publicUrl.hostname), ...allowedHosts.map((host) => bareHost(host))])
  const readHost = keepLast(parseHost)

  return function admit(request: FastifyRequest): void {
    const host = readHost(request.headers.host ?? '')
    const target = readTarget(request.raw.url ?? '')
    const isAddressedToUs = [host, ...target].every(
      (named) => named && isOurs(bareHost(named.hostname), request.socket.localAddress),
    )
    if (!host || !isAddressedToUs) {
      throw new AppError('MISDIRECTED_REQUEST', {
        message:
          'This sandbox is not reached by that Host. Name it in PUBLIC_URL or ALLOWED_HOSTS to allow it.',
      })
    }
    const { origin } = request.headers
    if (origin === undefined || !hasSandboxPowers(request) || isOwnOrigin(origin, host)) return
    if (extensionOrigin.test(origin) && request.routeOptions.url === '/rpc') return
    throw new AppError('FORBIDDEN', { message: 'Pages of other sites may not use the sandbox.' })
  }

  function isOurs(host: string, localAddress: string | undefined): boolean {
    if (loopback.has(host) || named.has(host)) return true
    return isIP(host) !== 0 && localAddress !== undefined && host === canonicalAddress(localAddress)
  }

  function isOwnOrigin(origin: string, host: URL): boolean {
    if (origin === publicUrl.origin || corsOrigins.includes(origin)) return true
    return URL.parse(origin)?.host === host.host
  }
}

function parseHost(header: string): URL | null {
  return /^[\w.:[\]-]+$/.test(header) ? URL.parse(`http://${header}`) : null
}

/** Nearly all requests name the same host, and to parse it costs more than all the rest of this. */
function keepLast<Result>(read: (text: string) => Result): (text: string) => Result {
  let last: { text: string; result: Result } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, result: read(text) }
    return last.result
  }
}

/** A request may also name its host in the target, as to a proxy; that one then counts. */
function readTarget(target: string): (URL | null)[] {
  return target.startsWith('/') ? [] : [URL.parse(target)]
}

function hasSandboxPowers({ facts, routeOptions }: FastifyRequest): boolean {
  if (facts.endpoint?.sandboxOnly) return true
  return routeOptions.url === '/rpc' || (routeOptions.url?.startsWith('/sandbox/') ?? false)
}

const bareHost = (hostname: string): string => hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '')

/** An IPv4 address that arrives on an IPv6 socket is still that IPv4 address; an IPv6 one has many spellings. */
function canonicalAddress(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  return isIP(plain) === 6 ? bareHost(new URL(`http://[${plain}]`).hostname) : plain
}
