import { once } from 'node:events'
import { Agent, createServer, type RequestListener, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createTestHttp } from '../../testing/test-http.ts'
import { createDrain, type DrainOptions } from './drain.ts'
import { beginInTurn } from './limits/pipelining.ts'

/** A server that is drained, with pauses that the test ends. */
async function start(listener: RequestListener, options: Pick<DrainOptions, 'noticeMs'> = {}) {
  const pauses: (() => void)[] = []
  const pause = () => new Promise<void>((resolve) => pauses.push(resolve))
  const drain = createDrain({ ...options, pause })
  const server = createServer({ keepAliveTimeout: 600_000 }, listener)
  drain.watch(server, beginInTurn(server))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  return { drain, server, port, pauses, run: () => drain.run(server) }
}

const LARGE = 30_000_000

test('what is written and not yet read is sent to its end', async () => {
  const { run, port, server } = await start((_request, response) => response.end(Buffer.alloc(LARGE, 'a')))
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(server, 'request')
  const stopped = run()
  await expect.poll(() => server.listening).toBe(false)
  let received = 0
  for await (const chunk of socket) received += chunk.length
  expect(received).toBeGreaterThan(LARGE)
  expect(await stopped).toBe(true)
})

test('a connection that a stream leaves open does not hold the stop up', async () => {
  const ended = Promise.withResolvers<void>()
  const { drain, run, port } = await start((_request, response) => {
    response.write('begun')
    drain.endOfWaits.addEventListener('abort', () => response.end())
    response.once('close', ended.resolve)
  })
  const [reply] = await once(request({ port, agent: new Agent({ keepAlive: true }) }).end(), 'response')
  const stopped = run()
  expect(await text(reply)).toBe('begun')
  await ended.promise
  expect(await stopped).toBe(true)
})

test('a connection on which nothing was ever sent does not hold the stop up', async () => {
  const { run, port, server } = await start((_request, response) => response.end())
  const accepted = once(server, 'connection')
  const opened = connect(port, '127.0.0.1')
  const closed = once(opened.resume(), 'close')
  await accepted
  expect(await run()).toBe(true)
  await closed
})

test('a connection that is opened during the notice is served', async () => {
  const { run, port, server, pauses } = await start((_request, response) => response.end('served'), {
    noticeMs: 2_000,
  })
  const stopped = run()
  const accepted = once(server, 'connection')
  const opened = connect(port, '127.0.0.1')
  await accepted
  pauses[0]?.()
  await expect.poll(() => server.listening).toBe(false)
  opened.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(await text(opened)).toContain('served')
  expect(await stopped).toBe(true)
})

test('while it gives notice it takes new requests, and nothing that waits is ended', async () => {
  const { drain, run, port, pauses } = await start((_request, response) => response.end('served'), {
    noticeMs: 2_000,
  })
  const stopped = run()
  expect([drain.hasBegun(), drain.endOfWaits.aborted]).toEqual([true, false])
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('served')
  pauses[0]?.()
  expect(await stopped).toBe(true)
  expect(drain.endOfWaits.aborted).toBe(true)
})

test('a request that does not end is cut off when the time is over', async () => {
  const { run, port, server, pauses } = await start(() => undefined)
  const cut = request({ port }).end()
  const failed = once(cut, 'error')
  await once(server, 'request')
  const stopped = run()
  await expect.poll(() => pauses.length).toBe(1)
  pauses[0]?.()
  expect(await stopped).toBe(false)
  expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' })
})

describe('a connection that is kept alive', () => {
  /** The service's own pipeline, with a call that ends when the test says so. */
  async function startService() {
    const pauses: (() => void)[] = []
    const drain = createDrain({
      noticeMs: 2_000,
      pause: () => new Promise<void>((resolve) => pauses.push(resolve)),
    })
    const held = Promise.withResolvers<void>()
    const http = await createTestHttp([], { drain })
    http.app.post('/now', async () => ({ data: 'done' }))
    http.app.post('/held', async () => {
      await held.promise
      return { data: 'done' }
    })
    const origin = await http.app.listen({ port: 0, host: '127.0.0.1' })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const post = async (path: string, from = agent) => {
      const sent = request(origin + path, { method: 'POST', agent: from }).end()
      const [reply] = await once(sent, 'response')
      const body = await text(reply)
      return {
        isReused: sent.reusedSocket,
        status: reply.statusCode,
        connection: reply.headers.connection,
        body,
      }
    }
    return { http, drain, pauses, held, post, port: Number(new URL(origin).port) }
  }
  const served = { status: 200, body: '{"data":"done"}' }

  test('is served during the notice, and closed by its next response', async () => {
    const { http, drain, pauses, post } = await startService()
    expect(await post('/now')).toMatchObject({ ...served, connection: 'keep-alive' })
    const stopped = drain.run(http.app.server)
    expect(await post('/now')).toMatchObject({ ...served, connection: 'close', isReused: true })
    pauses[0]?.()
    expect(await stopped).toBe(true)
    await http.close()
  })

  test('gets the responses to all requests that it has sent, and is closed by the last', async () => {
    const { http, drain, pauses, held, port } = await startService()
    const accepted = once(http.app.server, 'connection')
    const socket = connect(port, '127.0.0.1')
    const received = text(socket)
    const [there] = await accepted
    const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: market.example\r\n\r\n`
    const sent = post('/held') + post('/now')
    const stopped = drain.run(http.app.server)
    socket.write(sent)
    await expect.poll(() => there.bytesRead).toBe(sent.length)
    held.resolve()
    expect((await received).match(/done|connection: \S+/gi)).toEqual([
      'Connection: keep-alive',
      'done',
      'connection: close',
      'done',
    ])
    pauses[0]?.()
    expect(await stopped).toBe(true)
    await http.close()
  })

  test('is served for as long as another request is under way', async () => {
    const { http, drain, pauses, held, post } = await startService()
    expect(await post('/now')).toMatchObject({ ...served, connection: 'keep-alive' })
    const under = post('/held', new Agent())
    await once(http.app.server, 'request')
    const stopped = drain.run(http.app.server)
    pauses[0]?.()
    await expect.poll(() => http.app.server.listening).toBe(false)
    expect(await post('/now')).toMatchObject({ ...served, connection: 'close', isReused: true })
    held.resolve()
    expect(await under).toMatchObject({ ...served, connection: 'close' })
    expect(await stopped).toBe(true)
    await http.close()
  })
})
