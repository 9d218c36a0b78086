import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isReachable, literalAddressOf } from './public-address.ts'
import { createNameResolution } from './resolve-name.ts'

const TIMEOUT_MS = 5_000
const MAX_READ_BYTES = 1_024
const MAX_EXCERPT_CHARACTERS = 200

export interface OutgoingMessage {
  url: string
  headers: Record<string, string>
  body: string
}

/** What came back: a response, with the beginning of its text when it is no success, or why there is none. */
export type SendResult =
  | { kind: 'response'; status: number; excerpt: string }
  | { kind: 'failure'; why: string }

export type SendMessage = (message: OutgoingMessage) => Promise<SendResult>

export interface SenderOptions {
  /** Lets http and loopback addresses pass: for the sandbox, where receivers run on the same machine. */
  allowsLocal: boolean
  resolve?: (hostname: string) => Promise<string[]>
  /** Whether the text of a response from this address may be shown to the owner; by default only from the public internet. */
  isQuotable?: (address: string) => boolean
  timeoutMs?: number
}

class NotReachable extends Error {
  override readonly name = 'NotReachable'
  readonly code = 'NOT_REACHABLE'
}

/**
 * Sends to addresses that strangers name, so it trusts none of them. The name is resolved once, every address it has is
 * checked, and the connection goes to one of the very addresses that were checked: a name that resolves otherwise a
 * moment later changes nothing. Redirects are not followed, and a slow or endless response ends with the time limit.
 */
export function createSender({
  allowsLocal,
  resolve = allowsLocal ? resolveAsThisMachine : createNameResolution(),
  isQuotable = (address) => isReachable(address, { allowsLocal: false }),
  timeoutMs = TIMEOUT_MS,
}: SenderOptions): SendMessage {
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

  return async ({ url: given, headers, body }) => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const url = new URL(given)
      const addresses = await unlessAborted(signal, findAddresses(url))
      const response = await post(url, { addresses, headers, body, signal })
      const status = response.statusCode ?? 0
      // What a service on this machine says is none of an owner's business: the status alone is shown.
      const isQuoted = addresses.every(isQuotable) && (status < 200 || status >= 300)
      const excerpt = isQuoted ? await readExcerpt(response) : ''
      response.destroy()
      return { kind: 'response', status, excerpt }
    } catch (error) {
      return { kind: 'failure', why: explain(error, signal, timeoutMs) }
    }
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

interface Post {
  addresses: string[]
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

function post(url: URL, { addresses, headers, body, signal }: Post): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(url, {
    method: 'POST',
    agent: false,
    signal,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'agent-marketplace-webhooks/1.0',
    },
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

/** The status has been heard; whatever goes wrong with the rest of the response does not change it. */
async function readExcerpt(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= MAX_READ_BYTES) break
    }
  } catch {
    // Cut off in the middle: what is there will do.
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_READ_BYTES).toString('utf8')
  return text
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, MAX_EXCERPT_CHARACTERS)
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
function explain(error: unknown, signal: AbortSignal, timeoutMs: number): string {
  if (signal.aborted) return `No response within ${timeoutMs / 1000} s.`
  if (error instanceof NotReachable) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/CERT|TLS|SSL|ALTNAME|SELF_SIGNED|UNABLE_TO/.test(code)) return `The connection is not secure: ${code}.`
  return reasons[code] ?? 'The connection failed.'
}
