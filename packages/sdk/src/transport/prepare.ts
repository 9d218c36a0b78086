import type { Core } from '../core.ts'
import type { Route } from '../endpoints.ts'

export interface Exchange {
  params?: object | undefined
  query?: object | undefined
  body?: unknown
  /** Sent as it is, in place of a body. */
  file?: SentFile | undefined
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  idempotencyKey?: string | undefined
  /** A failure that the caller reads as a response. */
  expectedStatus?: number
  /** Where one attempt may take longer than the client's own limit. */
  timeoutMs?: number
  /** Where this call is sent in another way than the others. */
  fetch?: typeof fetch | undefined
}

export interface SentFile {
  content: Blob | Uint8Array<ArrayBuffer> | string
  mediaType: string
}

export interface Prepared {
  url: string
  method: string
  headers: Record<string, string>
  body: SentFile['content'] | undefined
}

/** The request as it is sent, each time alike: its idempotency key is chosen here, once for all attempts. */
export function prepare(core: Core, route: Route, call: Exchange): Prepared {
  const { params, query, body, file, headers, idempotencyKey } = call
  return {
    url: core.baseUrl + fillPath(route.path, params) + queryText(query),
    method: route.method,
    headers: {
      accept: route.isRaw ? '*/*' : 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(file && { 'content-type': file.mediaType }),
      ...(route.method === 'POST' ? { 'idempotency-key': idempotencyKey ?? core.newKey() } : {}),
      ...headers,
    },
    body: body === undefined ? file?.content : JSON.stringify(body),
  }
}

function fillPath(path: string, params: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params))
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
}

function queryText(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
