import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface RpcServer {
  url: string
  close(): Promise<void>
}

/** Puts a JSON-RPC handler on a port of this machine. */
export async function serveRpc(handle: (body: string) => Promise<string | undefined>): Promise<RpcServer> {
  const server = createServer(async (request, response) => {
    const reply = await handle(await text(request))
    response.setHeader('content-type', 'application/json')
    response.end(reply)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
