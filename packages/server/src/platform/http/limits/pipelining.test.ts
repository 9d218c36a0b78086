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
