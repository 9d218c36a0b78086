import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A way to the database that can fall silent, as when a machine or a cable is gone: nothing passes any more, and neither
 * side is notified. Connections that are opened later work. Or it can stand still, as a machine that is paused: all
 * connections wait, new ones too, and go on later.
 */
export async function startSilentProxy(target: { host: string; port: number }) {
  const open = new Set<readonly [Socket, Socket]>()
  let standsStill = false
  let messagesLeft = Number.POSITIVE_INFINITY
  const server = createServer((client) => {
    // PostgreSQL's own socket where there is one.
    const path = `${target.host}/.s.PGSQL.${target.port}`
    const upstream = target.host.startsWith('/') ? connect(path) : connect(target.port, target.host)
    const pair = [client, upstream] as const
    open.add(pair)
    for (const socket of pair) socket.on('error', () => undefined)
    client.once('close', () => upstream.end())
    if (!standsStill) join(pair)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const countMessage = (): void => {
    messagesLeft -= 1
    if (messagesLeft === 0) standStill()
  }
  const join = ([client, upstream]: readonly [Socket, Socket]): void => {
    client.off('data', countMessage).on('data', countMessage)
    client.pipe(upstream).pipe(client)
  }
  const part = ([client, upstream]: readonly [Socket, Socket]): void => {
    client.unpipe(upstream)
    upstream.unpipe(client)
  }
  const standStill = (): void => {
    standsStill = true
    for (const pair of open) part(pair)
  }

  return {
    host: '127.0.0.1',
    port,
    /** The open connections carry nothing from now on. */
    fallSilent() {
      for (const pair of open) {
        part(pair)
        pair[0].resume()
      }
    },
    standStill,
    /** Lets so many messages pass: the last one still arrives, its response does not. */
    standStillAfter(messages: number) {
      messagesLeft = messages
    },
    standsStill: () => standsStill,
    /** What was sent meanwhile arrives. */
    goOn() {
      standsStill = false
      for (const pair of open) join(pair)
    },
    async close() {
      for (const pair of open) for (const socket of pair) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
