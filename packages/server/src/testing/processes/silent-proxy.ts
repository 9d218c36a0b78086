import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A connection to the database that can fall silent, as when a machine or a cable is gone: nothing passes any more, and
 * neither side is notified. Connections that are opened later work.
 */
export async function startSilentProxy(target: { host: string; port: number }) {
  const open = new Set<readonly [Socket, Socket]>()
  const server = createServer((client) => {
    // PostgreSQL's own socket where there is one.
    const path = `${target.host}/.s.PGSQL.${target.port}`
    const upstream = target.host.startsWith('/') ? connect(path) : connect(target.port, target.host)
    const pair = [client, upstream] as const
    open.add(pair)
    for (const socket of pair) socket.on('error', () => undefined)
    client.pipe(upstream).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    host: '127.0.0.1',
    port,
    /** The open connections carry nothing from now on. */
    fallSilent() {
      for (const [client, upstream] of open) {
        client.unpipe(upstream)
        upstream.unpipe(client)
        client.resume()
      }
    },
    async close() {
      for (const pair of open) for (const socket of pair) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
