import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createTestHttp } from '../../../testing/test-http.ts'

const LAST = 'GET /last HTTP/1.1\r\nHost: market.example\r\n\r\n'
const NEXT = 'POST /next HTTP/1.1\r\nHost: market.example\r\n\r\n'

test('no request begins after a response that ends its connection', async () => {
  const stream = new PassThrough()
  const begun: string[] = []
  const server = await createTestHttp([])
  server.app.addHook('onRequest', async ({ url }) => void begun.push(url))
  server.app.get('/last', async (_request, reply) => reply.header('connection', 'close').send(stream))
  server.app.post('/next', async () => 'next')
  const url = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
  const accepted = once(server.app.server, 'connection')
  const socket = connect(Number(url.port), url.hostname)
  const [there] = (await accepted) as [Socket]
  const isSent = once(socket, 'data')
  socket.write(LAST)
  stream.write('first')
  await isSent
  const rest = text(socket)
  socket.write(NEXT)
  await expect.poll(() => there.bytesRead).toBe(LAST.length + NEXT.length)
  stream.end('last')
  expect(await rest).not.toContain('HTTP/1.1')
  expect(begun).toEqual(['/last'])
  await server.close()
})

test('the requests of a connection begin one after the other, and others in between', async () => {
  const order: string[] = []
  const server = await createTestHttp([])
  server.app.get('/:name', async ({ url }) => {
    order.push(url)
    return url
  })
  const url = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(url.port), url.hostname)
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: market.example\r\n\r\n`
  const paths = Array.from({ length: 100 }, (_, index) => `/${index}`)
  const last = get('/last').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
  const turns: number[] = []
  const countTurn = () => {
    turns.push(order.length)
    if (order.length < paths.length) setImmediate(countTurn)
  }
  socket.write(paths.slice(1).map(get).join('') + last)
  countTurn()
  const received = await text(socket)
  expect(order).toEqual([...paths.slice(1), '/last'])
  expect(received.match(/\r\n\r\n\/(\d+|last)/g)?.map((body) => body.trim())).toEqual(order)
  const begunInTurns = turns.slice(1).map((count, index) => count - (turns[index] ?? 0))
  expect(Math.max(...begunInTurns)).toBe(1)
  await server.close()
})

test('what follows on a connection is read only when it can begin, and all of it is done', async () => {
  const held = Promise.withResolvers<string>()
  const server = await createTestHttp([])
  server.app.get('/held', () => held.promise)
  server.app.post('/next', async ({ body }) => `next ${(body as Buffer).length}`)
  const url = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
  const accepted = once(server.app.server, 'connection')
  const socket = connect(Number(url.port), url.hostname)
  const [there] = (await accepted) as [Socket]
  const body = '1'.repeat(60_000)
  const head = ['Host: market.example', 'Content-Type: application/json', `Content-Length: ${body.length}`]
  const next = (last: readonly string[] = []) =>
    ['POST /next HTTP/1.1', ...head, ...last, '', body].join('\r\n')
  const received = text(socket)
  const sent = [LAST.replace('/last', '/held'), ...Array(50).fill(next()), next(['Connection: close'])].join(
    '',
  )
  socket.write(sent)
  await expect.poll(() => there.bytesRead).toBeGreaterThan(0)
  // As many turns as would do to read all of it.
  for (let count = 0; count < 50; count += 1) await (await fetch(url)).text()
  const readAhead = there.bytesRead
  held.resolve('held')
  expect((await received).match(/\r\n\r\n(held|next 60000)/g)).toHaveLength(52)
  expect(there.bytesRead).toBe(sent.length)
  expect(readAhead).toBeLessThan(sent.length / 10)
  await server.close()
})

test('a request does not begin in the async context of the one before it', async () => {
  const caller = new AsyncLocalStorage<string>()
  const server = await createTestHttp([])
  server.app.post('/next', (_request, reply) => {
    caller.run('somebody', () => void setImmediate(() => reply.send('done')))
  })
  server.app.get('/last', async () => `asked by ${caller.getStore() ?? 'nobody'}`)
  const url = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(url.port), url.hostname)
  socket.write(NEXT + LAST.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  expect((await text(socket)).match(/done|asked by \w+/g)).toEqual(['done', 'asked by nobody'])
  await server.close()
})

test('requests that wait to begin are limited over all connections, and the others get their responses', async () => {
  const held = Promise.withResolvers<string>()
  const server = await createTestHttp([])
  server.app.get('/held', () => held.promise)
  server.app.get('/last', async () => 'last')
  const url = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
  const many = LAST.replace('/last', '/held') + LAST.repeat(99)
  let closedCount = 0
  const open = async () => {
    const accepted = once(server.app.server, 'connection')
    const socket = connect(Number(url.port), url.hostname)
    socket.on('error', () => undefined).once('close', () => (closedCount += 1))
    let received = ''
    socket.setEncoding('utf8').on('data', (chunk) => (received += chunk))
    const [there] = (await accepted) as [Socket]
    socket.write(many)
    await expect.poll(() => there.destroyed || there.bytesRead === many.length).toBe(true)
    return { socket, count: () => received.match(/\r\n\r\n(held|last)/g)?.length }
  }
  const clients = []
  for (let count = 0; count < 55; count += 1) clients.push(await open())
  await expect.poll(() => closedCount).toBe(5)
  for (const { socket } of clients.splice(0, 10)) socket.destroy()
  held.resolve('held')
  for (const { count } of clients.slice(0, 40)) await expect.poll(count).toBe(100)
  expect(await (await fetch(`${url}last`)).text()).toBe('last')
  const later = await open()
  await expect.poll(later.count).toBe(100)
  for (const { socket } of [...clients, later]) socket.destroy()
  await server.close()
})
