import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isReachable, literalAddressOf } from './public-address.ts'
import { createNameResolution } from './resolve-name.ts'

export interface OutgoingMessage {
  /** POST unless it says otherwise. */
  method?: 'GET' | 'POST' | undefined
  url: string
  headers: Record<string, string>
  /** JSON, unless the headers name another type; undefined sends none. */
  body?: string | undefined
}

export interface GuardedRequestOptions {
  /** Lets http and loopback addresses pass: for the sandbox, where receivers run on the same machine. */
  allowsLocal: boolean
  resolve?: ((hostname: string) => Promise<string[]>) | undefined
  userAgent: string
}

/** A response whose body is not read yet, and the addresses that were checked. */
export interface GuardedResponse {
  response: IncomingMessage
  addresses: readonly string[]
}

export type GuardedRequest = (message: OutgoingMessage, signal: AbortSignal) => Promise<GuardedResponse>

class NotReachable extends Error {
  override readonly name = 'NotReachable'
  readonly code = 'NOT_REACHABLE'
}

/**
 * Sends to addresses that strangers name, so it trusts none of them. The name is resolved once, every address it has is
 * checked, and the connection goes to one of the very addresses that were checked: a name that resolves otherwise a
 * moment later changes nothing. Redirects are not followed. The signal ends all of it, the body of the response too.
 */
export function createGuardedRequest({
  allowsLocal,
  resolve = allowsLocal ? resolveAsThisMachine : createNameResolution(),
  userAgent,
}: GuardedRequestOptions): GuardedRequest {
  async function findAddresses(url: URL): Promise<string[]> {
    const isAllowed = url.protocol === 'https:' || (allowsLocal && url.protocol === 'http:')
    if (!isAllowed) throw new NotReachable('Only https is allowed.')
    const literal = literalAddressOf(url)
    const addresses = literal === undefined ? await resolve(url.hostname) : [literal]
    if (addresses.length === 0 || !addresses.every((address) => isReachable(address, { allowsLocal }))) {
      throw new NotReachable('The host is a private or local address.')
    }
    return addresses
  }

  return async ({ url: given, method = 'POST', headers, body }, signal) => {
    const url = new URL(given)
    const addresses = await unlessAborted(signal, findAddresses(url))
    const response = await send(url, {
      method,
      addresses,
      headers: { ...headers, 'user-agent': userAgent },
      body,
      signal,
    })
    return { response, addresses }
  }
}

/** With the names that this machine alone knows. */
async function resolveAsThisMachine(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}

/** Resolving a name cannot be called off, so the wait for it is. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort))
}

interface Sending {
  method: string
  addresses: string[]
  headers: Record<string, string>
  body: string | undefined
  signal: AbortSignal
}

function send(url: URL, { method, addresses, headers, body, signal }: Sending): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const content =
    body === undefined
      ? {}
      : {
          'content-type': headers['content-type'] ?? 'application/json',
          'content-length': Buffer.byteLength(body),
        }
  request(url, {
    method,
    agent: false,
    signal,
    headers: { ...headers, ...content },
    lookup: fixedLookup(addresses),
  })
    .once('response', resolve)
    // It stays: an error that follows the response must not end the process.
    .on('error', reject)
    // A receiver that switches protocols ends the connection with neither.
    .once('close', () => reject(new Error('closed without a response')))
    .end(body)
  return promise
}

/** Node asks for all of them, and tries the next when one does not respond. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, _options, callback) => callback(null, known)
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was cut off.',
  EAI_AGAIN: 'The host name does not resolve.',
  ENODATA: 'The host name does not resolve.',
  ENOTFOUND: 'The host name does not resolve.',
  ESERVFAIL: 'The host name does not resolve.',
  ETIMEOUT: 'The host name does not resolve.',
}

/** Words for the owner; they name no address and quote nothing of this machine. */
export function explainFailure(error: unknown): string {
  if (error instanceof NotReachable) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/CERT|TLS|SSL|ALTNAME|SELF_SIGNED|UNABLE_TO/.test(code)) return `The connection is not secure: ${code}.`
  return reasons[code] ?? 'The connection failed.'
}
