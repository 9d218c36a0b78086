import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A request as it reached the server. */
export interface Seen {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  json?: unknown
  /** Instead of `json`: written piece by piece, and then the connection stays open or ends. */
  pieces?: { texts: string[]; then: 'end' | 'break' | 'stay' }
}

/**
 * What befalls a request: it is dropped unread, or done with its response lost, or done with half of its response sent, or
 * refused with a status.
 */
export type Fault = 'drop' | 'lose' | 'halve' | { status: number; headers?: Record<string, string> }

/** A real HTTP server that misbehaves on demand: each fault hits one request to its path, in order. */
export async function startFaultyServer(handle: (seen: Seen) => Reply | Promise<Reply>) {
  const faults: { path: string; fault: Fault }[] = []
  const seen: Seen[] = []

  const nextFault = (path: string): Fault | undefined => {
    const index = faults.findIndex((entry) => entry.path === path)
    return index < 0 ? undefined : faults.splice(index, 1)[0]?.fault
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    const path = url.split('?')[0] ?? ''
    const fault = nextFault(path)
    const arrived = { method, path: url, headers, body }
    seen.push(arrived)
    if (fault === 'drop') return void request.socket.destroy()
    if (typeof fault === 'object') return void response.writeHead(fault.status, fault.headers).end('trouble')
    const reply = await handle(arrived)
    if (fault === 'lose') return void request.socket.destroy()
    if (reply.pieces) return writePieces(response, reply, reply.pieces)
    const text = JSON.stringify(reply.json)
    const length = Buffer.byteLength(text)
    response.writeHead(reply.status, { ...reply.headers, 'content-length': length })
    if (fault !== 'halve') return void response.end(text)
    response.write(text.slice(0, text.length / 2), () => request.socket.destroy())
  }

  function writePieces(response: ServerResponse, reply: Reply, pieces: NonNullable<Reply['pieces']>): void {
    response.writeHead(reply.status, reply.headers)
    for (const text of pieces.texts) response.write(text)
    if (pieces.then === 'end') response.end()
    if (pieces.then === 'break') response.write('', () => response.destroy())
  }

  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    /** The requests of one path, in their order. */
    seenAt: (path: string) => seen.filter((entry) => entry.path.split('?')[0] === path),
    befall: (path: string, ...more: Fault[]) => void faults.push(...more.map((fault) => ({ path, fault }))),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
