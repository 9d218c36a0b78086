import type { FastifyInstance, InjectOptions } from 'fastify'
import { callFrom } from '../../platform/http/inner-call.ts'
import { MCP_PATH } from './rules.ts'

interface Caller {
  publicUrl: URL
  /** By which the caller is counted, as if they had called themselves. */
  clientAddress: string
}

/**
 * `fetch` into this very service: a call runs through the whole request pipeline, with its limits, credentials and rules, without
 * leaving the process. Nothing cancels it, so what a caller has paid for continues after they disconnect.
 */
export function createInnerFetch(http: FastifyInstance, { publicUrl, clientAddress }: Caller): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input))
    const { method = 'GET', headers, body } = init
    const request: InjectOptions = {
      method: method as NonNullable<InjectOptions['method']>,
      url: `${pathname}${search}`,
      headers: { ...Object.fromEntries(new Headers(headers)), host: publicUrl.host },
      remoteAddress: clientAddress,
      ...(typeof body === 'string' && { payload: body }),
    }
    const response = await callFrom(MCP_PATH, () => http.inject(request))
    const { statusCode: status, rawPayload } = response
    const isEmpty = status === 204 || status === 304
    return new Response(isEmpty ? null : new Uint8Array(rawPayload), {
      status,
      headers: headersOf(response.headers),
    })
  }
}

function headersOf(sent: Record<string, number | string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(sent))
    for (const value of [values ?? []].flat()) headers.append(name, String(value))
  return headers
}
