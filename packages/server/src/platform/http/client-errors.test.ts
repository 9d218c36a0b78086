import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createTestHttp } from '../../testing/test-http.ts'

const GARBAGE = 'no HTTP at all\r\n\r\n'
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: market.example\r\n\r\n`

async function startHeld() {
  const held = Promise.withResolvers<string>()
  const stream = new PassThrough()
  const server = await createTestHttp([])
  server.app.get('/held', () => held.promise)
  server.app.get('/stream', (_request, reply) => reply.type('text/plain').send(stream))
  server.app.post('/body', async () => 'done')
  const url = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
  const failed = () => once(server.app.server, 'clientError')
  return { server, held, stream, failed, open: () => connect(Number(url.port), url.hostname) }
}

test('bytes after a request that are not HTTP end the connection, but only after the response', async () => {
  const { server, held, failed, open } = await startHeld()
  const socket = open()
  const received = text(socket)
  const isFailed = failed()
  socket.write(get('/held') + GARBAGE)
  await isFailed
  held.resolve('what was held')
  expect((await received).match(/HTTP\/1.1 \d+|what was held/g)).toEqual(['HTTP/1.1 200', 'what was held'])
  await server.close()
})

test('nothing is written into a response that is being sent', async () => {
  const { server, stream, failed, open } = await startHeld()
  const socket = open()
  const begun = once(socket, 'data')
  socket.write(get('/stream'))
  stream.write('one')
  const [head] = await begun
  const rest = text(socket)
  const isFailed = failed()
  socket.write(GARBAGE)
  await isFailed
  stream.end('two')
  expect(`${head}${await rest}`.split('\r\n\r\n').slice(1).join('')).toBe('3\r\none\r\n3\r\ntwo\r\n0')
  await server.close()
})

test('a head that is not read while other requests wait is not too late once it is read', async () => {
  const { server, held, failed, open } = await startHeld()
  server.app.server.headersTimeout = 1
  const socket = open()
  const received = text(socket)
  const [head, rest] = ['POST /body HTTP/1.1\r\nHost: mark', 'et.example\r\nConnection: close\r\n\r\n']
  const isLate = failed()
  socket.write(get('/held') + get('/held') + head)
  await isLate
  socket.write(rest)
  server.app.server.headersTimeout = 60_000
  held.resolve('what was held')
  expect((await received).match(/what was held|done/g)).toEqual(['what was held', 'what was held', 'done'])
  await server.close()
})

test('a body that cannot be read is refused at once', async () => {
  const { server, open } = await startHeld()
  const socket = open()
  const head = ['POST /body HTTP/1.1', 'Host: market.example', 'Content-Type: application/json']
  socket.write([...head, 'Transfer-Encoding: chunked', '', 'no length', ''].join('\r\n'))
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /)
  await server.close()
})

test('a head has at most a hundred fields, however short they are', async () => {
  const { server, held, open } = await startHeld()
  held.resolve('what was held')
  const send = async (more: number) => {
    const socket = open()
    socket.write(
      `GET /held HTTP/1.1\r\nHost: market.example\r\nConnection: close\r\n${'a:b\r\n'.repeat(more)}\r\n`,
    )
    return text(socket)
  }
  expect(await send(97)).toMatch(/^HTTP\/1.1 200 /)
  expect(await send(100)).toMatch(/^HTTP\/1.1 431 /)
  await server.close()
})
