import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTestHttp } from '../../../testing/test-http.ts'
import { createMetrics } from '../measuring/metrics.ts'
import { createPeerAddress } from './client-address.ts'

const HELD = 'GET /held HTTP/1.1\r\nHost: market.example\r\n\r\n'
const NOW = 'GET /now HTTP/1.1\r\nHost: market.example\r\n\r\n'
const LARGE = 'GET /large HTTP/1.1\r\nHost: market.example\r\n\r\n'
const BODY =
  'POST /body HTTP/1.1\r\nHost: market.example\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n'
const HALF = 'GET /now HTTP/1.1\r\nHost: mark'

interface Client {
  socket: Socket
  received(): string
  isClosed(): boolean
}

/** A server with a limit, and connections to it that are opened one after the other. */
async function startBounded(most: number, trustedProxies: readonly string[] = []) {
  const metrics = createMetrics()
  const addressOf = createPeerAddress(trustedProxies)
  const server = await createTestHttp([], { metrics, connectionLimit: { most, addressOf } })
  const held = Promise.withResolvers<string>()
  server.app.get('/held', () => held.promise)
  server.app.get('/now', async () => 'now')
  server.app.get('/large', async () => Buffer.alloc(30_000_000))
  server.app.post('/body', async () => 'done')
  const url = new URL(await server.app.listen({ port: 0, host: '0.0.0.0' }))
  const sockets: Socket[] = []
  onTestFinished(async () => {
    held.resolve('held')
    for (const socket of sockets) socket.destroy()
    await server.close()
  })

  async function open(bytes: string, localAddress = '127.0.0.1'): Promise<Client> {
    const accepted = once(server.app.server, 'connection')
    const begun = [HELD, LARGE, BODY].includes(bytes) ? once(server.app.server, 'request') : undefined
    const socket = connect({ port: Number(url.port), host: '127.0.0.1', localAddress })
    sockets.push(socket)
    const client = { socket, text: '', isClosed: false }
    socket.setEncoding('utf8').on('data', (chunk) => {
      client.text += chunk
    })
    // One that is closed may be reset.
    socket
      .on('error', () => undefined)
      .on('close', () => {
        client.isClosed = true
      })
    const [there] = (await accepted) as [Socket]
    if (bytes === LARGE) socket.pause()
    socket.write(bytes)
    if (bytes === LARGE) await expect.poll(() => there.writableLength).toBeGreaterThan(0)
    if (bytes === HALF) await expect.poll(() => there.bytesRead).toBe(HALF.length)
    if (bytes === NOW) await expect.poll(() => client.text).toMatch(/now$/)
    await Promise.race([begun, once(socket, 'close')])
    return { socket, received: () => client.text, isClosed: () => client.isClosed }
  }
  return {
    open,
    held,
    metric: async (line: string) => (await metrics.registry.metrics()).includes(`${line}\n`),
  }
}

const statesOf = (clients: readonly Client[]) => clients.map((client) => client.isClosed())

test('beyond the limit, the connection that has waited longest for a request is closed', async () => {
  const { open, metric } = await startBounded(4, ['127.0.0.1'])
  const [idle, half, unused] = [await open(NOW), await open(HALF), await open('')]
  const last = await open(NOW)
  expect(await metric('http_connections_open 4')).toBe(true)
  const first = await open(NOW)
  await expect.poll(() => idle.isClosed()).toBe(true)
  const second = await open(NOW)
  await expect.poll(() => half.isClosed()).toBe(true)
  const third = await open(NOW)
  await expect.poll(() => unused.isClosed()).toBe(true)
  expect(statesOf([last, first, second, third])).toEqual([false, false, false, false])
  expect(await metric('http_connections_open 4')).toBe(true)
  expect(await metric('http_connections_closed_total 3')).toBe(true)
})

test('a connection that is used again begins to wait anew', async () => {
  const { open } = await startBounded(2, ['127.0.0.1'])
  const [used, unused] = [await open(NOW), await open(NOW)]
  used.socket.write(NOW)
  await expect.poll(() => used.received().match(/now/g)).toHaveLength(2)
  await open(NOW)
  await expect.poll(() => unused.isClosed()).toBe(true)
  expect(used.isClosed()).toBe(false)
})

test('a connection whose request the service works on is never closed: if all have one, the newcomer is', async () => {
  const { open, held } = await startBounded(2, ['127.0.0.1'])
  const busy = [await open(HELD), await open(HELD)]
  const newcomer = await open('')
  await expect.poll(() => newcomer.isClosed()).toBe(true)
  held.resolve('held')
  for (const { received } of busy) await expect.poll(received).toMatch(/held$/)
  expect(statesOf(busy)).toEqual([false, false])
  expect((await open(NOW)).received()).toMatch(/now$/)
})

test('if all have a request, those are closed whose clients do not read their response or send their body', async () => {
  const { open } = await startBounded(3, ['127.0.0.1'])
  const [held, unread, unsent] = [await open(HELD), await open(LARGE), await open(BODY)]
  expect((await open(HELD)).isClosed()).toBe(false)
  expect((await open(HELD)).isClosed()).toBe(false)
  unread.socket.resume()
  await expect.poll(() => statesOf([held, unread, unsent])).toEqual([false, true, true])
  const newcomer = await open('')
  await expect.poll(() => newcomer.isClosed()).toBe(true)
})

test('one address gets at most a quarter, and loses only connections of its own', async () => {
  const { open } = await startBounded(8)
  const others = [await open(NOW, '127.0.0.2'), await open(HALF, '127.0.0.3')]
  const busy = [await open(HELD), await open(HELD)]
  const further = await open('')
  await expect.poll(() => further.isClosed()).toBe(true)
  expect(statesOf([...others, ...busy])).toEqual([false, false, false, false])
  expect((await open(NOW, '127.0.0.4')).received()).toMatch(/now$/)
})

test('a proxy may take all of them', async () => {
  const { open } = await startBounded(8, ['127.0.0.0/24'])
  const proxied: Client[] = []
  for (let count = 0; count < 8; count += 1) proxied.push(await open(HELD))
  expect(statesOf(proxied)).toEqual(proxied.map(() => false))
})
