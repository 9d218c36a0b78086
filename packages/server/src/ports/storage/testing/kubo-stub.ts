import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { cidByHand } from './unixfs.ts'

export type Interception = (request: IncomingMessage, response: ServerResponse) => boolean

export interface KuboStub {
  url: string
  /** Pinned files by CID. */
  pins: Map<string, Uint8Array>
  intercept(interception: Interception | undefined): void
  close(): Promise<void>
}

/** Kubo's RPC as far as storage uses it: POST only, CIDs by the options of the request, errors as the real node words them. */
export async function startKuboStub({ authorization }: { authorization?: string } = {}): Promise<KuboStub> {
  const pins = new Map<string, Uint8Array>()
  let interception: Interception | undefined

  const add = async (request: IncomingMessage, query: URLSearchParams, response: ServerResponse) => {
    const form = await new Response(new Uint8Array(await buffer(request)), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData()
    const file = form.get('file')
    if (!(file instanceof File)) return fail(response, 400, "argument 'path' is required")
    const isKnownLayout = query.get('cid-version') === '1' && query.get('raw-leaves') === 'true'
    if (!isKnownLayout) return fail(response, 400, 'the stub only adds CIDv1 with raw leaves')
    const bytes = await file.bytes()
    const cid = cidByHand(bytes, {
      blockSize: Number(/^size-(\d+)$/.exec(query.get('chunker') ?? '')?.[1]),
      maxLinks: Number(query.get('max-file-links')),
    })
    if (query.get('pin') === 'true') pins.set(cid, bytes)
    succeed(response, { Name: file.name, Hash: cid, Size: String(bytes.length) })
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (interception?.(request, response)) return
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stub')
    if (request.method !== 'POST') return fail(response, 405, 'Method Not Allowed')
    if (request.headers.authorization !== authorization) return fail(response, 403, 'Forbidden')
    if (pathname === '/api/v0/add') return await add(request, searchParams, response)
    const cid = searchParams.get('arg') ?? ''
    if (pathname === '/api/v0/pin/rm') {
      if (!pins.delete(cid)) return fail(response, 500, 'not pinned or pinned indirectly')
      return succeed(response, { Pins: [cid] })
    }
    // Without it the real node would go and search the network for as long as it is let.
    if (searchParams.get('offline') !== 'true') return fail(response, 504, 'the stub has no network')
    const bytes = pins.get(cid)
    if (pathname === '/api/v0/pin/ls') {
      if (bytes === undefined) return fail(response, 500, `path '${cid}' is not pinned`)
      return succeed(response, { Keys: { [cid]: { Type: 'recursive' } } })
    }
    if (bytes === undefined) {
      const message = `block was not found locally (offline): ipld: could not find ${cid}`
      return fail(response, 500, message)
    }
    const offset = Number(searchParams.get('offset') ?? 0)
    const length = Number(searchParams.get('length') ?? bytes.length)
    response.writeHead(200, { 'content-type': 'text/plain' }).end(bytes.subarray(offset, offset + length))
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error) => fail(response, 500, String(error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pins,
    intercept: (next) => {
      interception = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function succeed(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
}

function fail(response: ServerResponse, status: number, message: string): void {
  const body = { Message: message, Code: 0, Type: 'error' }
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
}
