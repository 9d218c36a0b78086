import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createTestHttp } from '../../../testing/test-http.ts'

const LAST = 'GET /last HTTP/1.1\r\nHost: market.example\r\n\r\n'
const NEXT = 'POST /next HTTP/1.1\r\nHost: market.example\r\n\r\n'

test('nothing is begun behind a response that ends its connection', async () => {
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
