import { EventEmitter, once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage, request, type Server } from 'node:http'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { byWholeAccount, defineEndpoint, oneForm, rawResponse } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { createTestHttp } from '../../../testing/test-http.ts'
import { route } from '../call.ts'
import { createMetrics } from '../measuring/metrics.ts'
import { judgeRequests } from './judging.ts'
import { createOverload, type Overload } from './overload.ts'
import { leaveRoom } from './room.ts'

const doing = {
  method: 'GET',
  access: 'public',
  tag: 'Test',
  summary: 'test',
  description: 'test',
  rate: 'api',
  status: 200,
  errors: [],
} as const
const response = oneForm(Type.Object({ data: Type.Integer() }))

/** Requests as a server has them once it has read them from their connections. */
function createArrivals({ isFull = false } = {}) {
  const server = new EventEmitter()
  const left: unknown[] = []
  const enter = () => (isFull ? undefined : (how?: { isDone?: boolean }) => void left.push(how?.isDone))
  const judging = judgeRequests(server as Server, { enter })
  /** Each over a connection of its own. */
  const arrive = (method: string) => {
    const socket = new PassThrough()
    const request = { method, socket: socket as unknown } as IncomingMessage
    const response = new EventEmitter()
    server.emit('request', request, response)
    return { turn: judging.turnOf(request), socket, close: () => response.emit('close') }
  }
  return { arrive, left }
}

test('what is under way goes on while many reads begin', async () => {
  const { arrive } = createArrivals()
  const order: string[] = []
  const begin = async (name: string, turn: Promise<void> | undefined) => {
    await turn
    order.push(name)
  }
  setImmediate(() => order.push('under way'))
  const reads = Array.from({ length: 100 }, (_, index) => begin(`read ${index}`, arrive('GET').turn))
  const write = begin('write', arrive('POST').turn)
  await Promise.all([...reads, write])
  expect(order.filter((name) => name.startsWith('read'))).toEqual(reads.map((_, index) => `read ${index}`))
  expect(order.indexOf('write')).toBe(32)
  expect(order.indexOf('under way')).toBe(33)
})

test('a read whose caller has gone takes nobody’s turn, and does not count as done', async () => {
  const { arrive, left } = createArrivals()
  const reads = Array.from({ length: 200 }, () => arrive('GET'))
  const gone = reads.slice(32, 192)
  for (const { close } of gone) close()
  const rejected = Promise.allSettled(gone.map(({ turn }) => turn))
  const begun: number[] = []
  const last = reads.slice(192).map(async ({ turn }, index) => {
    await turn
    begun.push(index)
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toHaveLength(8)
  await Promise.all(last)
  expect(new Set((await rejected).map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(left).toEqual(gone.map(() => false))
  reads[0]?.close()
  expect(left.at(-1)).toBe(true)
})

test('only so many refusals wait: further connections are closed, and one that is gone waits no more', async () => {
  const { arrive } = createArrivals({ isFull: true })
  const refused = Array.from({ length: 5_000 }, () => arrive('GET'))
  const ends = Promise.allSettled(refused.map(({ turn }) => turn))
  expect(refused.filter(({ socket }) => socket.destroyed)).toHaveLength(5_000 - 2_000 - 32)
  for (const { socket } of refused.slice(32, 2_032)) socket.destroy()
  await new Promise((resolve) => setImmediate(resolve))
  // Nobody is left whom a later one would have to wait for.
  const last = arrive('GET')
  await expect(last.turn).rejects.toThrow('more requests than it can handle')
  expect(last.socket.destroyed).toBe(false)
  expect(new Set((await ends).map(({ status }) => status))).toEqual(new Set(['rejected']))
})

test.each(['api', 'none'] as const)(
  'a connection that sends requests of class %s without waiting for responses is closed',
  async (rate) => {
    const held = Promise.withResolvers<void>()
    let begun = 0
    const holding = defineEndpoint({ ...doing, rate, id: 'holding', path: '/api/holding', response })
    const server = await createTestHttp(
      [
        route(holding, async () => {
          begun += 1
          await held.promise
          return { data: 1 }
        }),
      ],
      { rateLimitsEnforced: false, overload: { enter: () => () => undefined } },
    )
    const url = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect(Number(url.port), url.hostname)
    let isClosed = false
    socket.on('close', () => {
      isClosed = true
    })
    // A closed connection may be reset while it is written to.
    socket.on('error', () => undefined)
    socket.write('GET /api/holding HTTP/1.1\r\nHost: market.example\r\n\r\n'.repeat(20_000))
    await expect.poll(() => isClosed || begun > 100).toBe(true)
    expect(begun).toBeLessThanOrEqual(100)
    const other = fetch(`${url.origin}/api/holding`)
    held.resolve()
    expect((await other).status).toBe(200)
    await server.close()
  },
)

test('a stream takes room until it begins, and no longer', async () => {
  const stream = new PassThrough()
  const streamed = {
    ...doing,
    id: 'streamed',
    path: '/api/streamed',
    response: rawResponse('text/event-stream'),
  }
  let inside = 0
  const enter = () => {
    inside += 1
    return () => {
      inside -= 1
    }
  }
  const server = await createTestHttp(
    [
      route(defineEndpoint(streamed), async ({ reply }) => {
        expect(inside).toBe(1)
        reply.type('text/event-stream').send(stream)
        stream.write('data: begun\n\n')
        return undefined
      }),
    ],
    { overload: { enter } },
  )
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const began = await fetch(`${url}/api/streamed`)
  expect([began.status, inside]).toEqual([200, 0])
  stream.end('data: over\n\n')
  expect(await began.text()).toBe('data: begun\n\ndata: over\n\n')
  await server.close()
  expect(inside).toBe(0)
})

test('a call takes room until its decision is stored, and none while it waits for the chain', async () => {
  let inside = 0
  const enter = () => {
    inside += 1
    return () => {
      inside -= 1
    }
  }
  const seen: number[] = []
  const decided = {
    ...doing,
    method: 'POST',
    keys: byWholeAccount,
    id: 'decided',
    path: '/api/decided',
  } as const
  const server = await createTestHttp(
    [
      route(defineEndpoint({ ...decided, response }), async ({ transaction }) => {
        const result = await transaction(async () => {
          seen.push(inside)
          return { data: 1 }
        })
        seen.push(inside)
        return result
      }),
    ],
    { overload: { enter } },
  )
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
  expect((await fetch(`${url}/api/decided`, { method: 'POST' })).status).toBe(200)
  expect([seen, inside]).toEqual([[1, 0], 0])
  await server.close()
})

test('calls that wait for somebody else do not make the service slow, also those that one call makes inside', async () => {
  let nowMs = 0
  let came = 0
  let wait = Promise.withResolvers<void>()
  const waits = defineEndpoint({ ...doing, id: 'waits', path: '/api/waits', response })
  const calls = defineEndpoint({ ...doing, id: 'calls', path: '/api/calls', response })
  const server = await createTestHttp(
    [
      route(waits, async () => {
        came += 1
        leaveRoom()
        await wait.promise
        return { data: 1 }
      }),
      route(calls, async () => (await server.app.inject('/api/waits')).json()),
    ],
    { overload: createOverload({ nowMs: () => nowMs }) },
  )
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status
  const begin = async () => {
    const before = came
    const begun = Array.from({ length: 20 }, (_, index) => statusOf(index % 2 ? '/api/waits' : '/api/calls'))
    await expect.poll(() => came).toBe(before + 20)
    return begun
  }
  const first = await begin()
  const firstWait = wait
  wait = Promise.withResolvers()
  nowMs += 1_000
  const second = await begin()
  firstWait.resolve()
  expect(new Set(await Promise.all(first))).toEqual(new Set([200]))
  const third = statusOf('/api/waits')
  await expect.poll(() => came).toBe(41)
  wait.resolve()
  expect(new Set(await Promise.all([...second, third]))).toEqual(new Set([200]))
  await server.close()
})

test('a response takes no room once it is written, however slowly its client reads it', async () => {
  let inside = 0
  let came = 0
  const enter = () => {
    came += 1
    inside += 1
    return () => {
      inside -= 1
    }
  }
  const server = await createTestHttp([], { overload: { enter } })
  server.app.get('/large', async () => Buffer.alloc(10_000_000))
  const url = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(url.port), url.hostname)
  socket.pause()
  // Those behind the first are not begun.
  socket.write('GET /large HTTP/1.1\r\nHost: market.example\r\n\r\n'.repeat(3))
  await expect.poll(() => [came, inside]).toEqual([1, 0])
  socket.destroy()
  await server.close()
})

describe('a body that has not come yet', () => {
  const posted = {
    ...doing,
    method: 'POST',
    keys: byWholeAccount,
    id: 'posted',
    path: '/api/posted',
  } as const
  const json = { 'content-type': 'application/json' }

  /** A server with one call, and requests of which the head has been read and the body has not come. */
  async function startPosted(enter: Overload['enter']) {
    const endpoint = defineEndpoint({ ...posted, body: oneForm(Type.Object({})), response })
    const server = await createTestHttp([route(endpoint, async () => ({ data: 1 }))], {
      rateLimitsEnforced: false,
      overload: { enter },
    })
    const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
    const begin = async (type = json) => {
      const parsing = once(server.app.server, 'request')
      const headers = { ...type, 'content-length': 2 }
      const sent = request(`${url}/api/posted`, { method: 'POST', headers })
      sent.flushHeaders()
      const [arrived] = (await parsing) as [IncomingMessage]
      return { sent, arrived }
    }
    const post = () => fetch(`${url}/api/posted`, { method: 'POST', body: '{}', headers: json })
    return { server, begin, post, port: Number(new URL(url).port) }
  }

  test('takes no room', async () => {
    const { server, begin, post } = await startPosted(createOverload({ nowMs: () => 0 }).enter)
    const slow: ClientRequest[] = []
    for (let came = 0; came < 200; came += 1) slow.push((await begin()).sent)
    expect((await post()).status).toBe(200)
    for (const sent of slow) sent.on('error', () => undefined).destroy()
    await server.close()
  })

  test('is another matter than one that comes with its head, which is judged once', async () => {
    let entered = 0
    const enter = () => {
      entered += 1
      return () => undefined
    }
    const { server, port } = await startPosted(enter)
    const socket = connect(port, '127.0.0.1')
    const head = ['POST /api/posted HTTP/1.1', 'Host: market.example', 'Content-Type: application/json']
    socket.end([...head, 'Content-Length: 2', '', '{}'].join('\r\n'))
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /)
    expect(entered).toBe(1)
    await server.close()
  })

  test('is judged again when it is there', async () => {
    let hasRoom = true
    const left: unknown[] = []
    const enter = () => (hasRoom ? (how?: { isDone?: boolean }) => void left.push(how?.isDone) : undefined)
    const { server, begin } = await startPosted(enter)
    const { sent } = await begin()
    await expect.poll(() => left).toEqual([false])
    hasRoom = false
    sent.end('{}')
    const [refused] = await once(sent, 'response')
    expect(refused.statusCode).toBe(503)
    refused.resume()
    await server.close()
    expect(left).toEqual([false])
  })

  test('takes no room when it comes after its response', async () => {
    let inside = 0
    const enter = () => {
      inside += 1
      return () => {
        inside -= 1
      }
    }
    const { server, begin } = await startPosted(enter)
    const { sent, arrived } = await begin({ 'content-type': 'text/plain' })
    const [refused] = await once(sent, 'response')
    expect(refused.statusCode).toBe(415)
    refused.resume()
    const read = once(arrived, 'close')
    sent.end('{}')
    await read
    expect(inside).toBe(0)
    await server.close()
  })
})

test('a request that expects something is judged like any other', async () => {
  const endpoint = defineEndpoint({ ...doing, id: 'expected', path: '/api/expected', response })
  const server = await createTestHttp([route(endpoint, async () => ({ data: 1 }))], {
    overload: { enter: () => undefined },
  })
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const [refused] = await once(get(`${url}/api/expected`, { headers: { Expect: 'nothing' } }), 'response')
  expect(refused.statusCode).toBe(503)
  refused.resume()
  await server.close()
})

test('a refused request is done nothing for, and says when to try again', async () => {
  let done = 0
  const counted = { ...doing, id: 'counted', path: '/api/counted' } as const
  const probe = { ...counted, id: 'probe', path: '/api/probe', rate: 'none' } as const
  const work = async () => {
    done += 1
    return { data: done }
  }
  let isOverloaded = true
  const metrics = createMetrics()
  const server = await createTestHttp(
    [counted, probe].map((endpoint) => route(defineEndpoint({ ...endpoint, response }), work)),
    { metrics, overload: { enter: () => (isOverloaded ? undefined : () => undefined) } },
  )
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })

  const refused = await fetch(`${url}/api/counted`)
  expect(refused.status).toBe(503)
  expect((await refused.json()).error.code).toBe('UNAVAILABLE')
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('100')
  expect(done).toBe(0)
  // What does not count against a limit is served: a supervisor must not end a service that is only busy.
  expect((await fetch(`${url}/api/probe`)).status).toBe(200)
  expect(await metrics.registry.metrics()).toContain('http_requests_refused_total 1\n')
  isOverloaded = false
  expect((await fetch(`${url}/api/counted`)).status).toBe(200)
  await server.close()
})
