import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createTestClock } from '../../testing/test-clock.ts'
import type { RequestFacts } from '../http/request-facts.ts'
import { createHotPages } from './hot-pages.ts'

const BODY_LENGTH = 1000

interface Read {
  url: string
  respond(): void
  fail(): void
}

/** Pages whose reads the test completes by hand. */
async function startPages({ maxBytes }: { maxBytes?: number } = {}) {
  const clock = createTestClock()
  const hotPages = createHotPages({ clock, urls: /^\/page(\?q=\w+)?$/, ...(maxBytes && { maxBytes }) })
  const http = fastify()
  const reads: Read[] = []
  let requests = 0
  http.decorateRequest('facts')
  http.addHook('onRequest', (request, _, done) => {
    const mustShow = request.headers['x-wrote'] ? 1n : undefined
    request.facts = { mustShow } as RequestFacts
    requests += 1
    done()
  })
  hotPages.install(http)
  http.get('/page', ({ url }) => {
    const { promise, resolve, reject } = Promise.withResolvers<object>()
    const text = `${reads.length} ${'x'.repeat(BODY_LENGTH)}`
    reads.push({ url, respond: () => resolve({ text }), fail: () => reject(new Error('lost')) })
    return promise
  })
  await http.ready()
  onTestFinished(() => http.close())
  const get = (url: string, headers: Record<string, string> = {}) => http.inject({ url, headers })
  const readsOf = (count: number) => expect.poll(() => reads.length).toBe(count)
  /** Has the page read, as nobody else does. */
  async function read(url: string): Promise<string> {
    const response = get(url)
    await readsOf(reads.length + 1)
    reads.at(-1)?.respond()
    return (await response).body
  }
  const requestsOf = (count: number) => expect.poll(() => requests).toBe(count)
  return { clock, hotPages, http, reads, get, read, readsOf, requestsOf }
}

test('requests that come while a page is read wait for it, and later ones get the same bytes for a second', async () => {
  const { clock, get, read, reads, requestsOf } = await startPages()
  const all = Array.from({ length: 5 }, () => get('/page?q=a'))
  await requestsOf(5)
  expect(reads).toHaveLength(1)
  reads[0]?.respond()
  const bodies = (await Promise.all(all)).map(({ body }) => body)
  expect(new Set(bodies).size).toBe(1)
  const kept = await get('/page?q=a')
  expect(kept.body).toBe(bodies[0])
  expect(kept.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(reads).toHaveLength(1)
  clock.advance(1)
  expect(await read('/page?q=a')).not.toBe(bodies[0])
})

test('the second begins when the page is read, not when it has been', async () => {
  const { clock, get, reads, read, readsOf } = await startPages()
  const slow = get('/page')
  await readsOf(1)
  clock.advance(1)
  reads[0]?.respond()
  await slow
  expect(await read('/page')).toContain('1 x')
})

test('while a page is read again the old one is sent, for as long as it is not too old', async () => {
  const { clock, get, read, reads, readsOf, requestsOf } = await startPages()
  await read('/page')
  clock.advance(1)
  const anew = get('/page')
  await readsOf(2)
  expect((await get('/page')).body).toContain('0 x')
  clock.advance(3.9)
  expect((await get('/page')).body).toContain('0 x')
  clock.advance(0.1)
  const late = get('/page')
  await requestsOf(5)
  reads[1]?.respond()
  expect([(await anew).body, (await late).body]).toEqual(Array(2).fill(expect.stringContaining('1 x')))
  expect(reads).toHaveLength(2)
})

test('while many pages are being read, an old one is sent until it is too old', async () => {
  const { clock, get, read, reads, readsOf } = await startPages()
  await read('/page')
  const others = ['a', 'b', 'c', 'd'].map((page) => get(`/page?q=${page}`))
  await readsOf(5)
  clock.advance(4.9)
  expect((await get('/page')).body).toContain('0 x')
  clock.advance(0.1)
  expect(await read('/page')).toContain('5 x')
  for (const { respond } of reads) respond()
  await Promise.all(others)
})

test('a page from before the clock was put back is read again', async () => {
  const { clock, get, read, reads } = await startPages()
  const kept = await read('/page')
  clock.advance(-3600)
  expect(await read('/page')).not.toBe(kept)
  await get('/page')
  expect(reads).toHaveLength(2)
})

test('a reading that never ends is not waited for by those who come later', async () => {
  const { clock, get, read, reads, readsOf } = await startPages()
  const endless = get('/page')
  await readsOf(1)
  clock.advance(5)
  expect(await read('/page')).toContain('1 x')
  reads[0]?.respond()
  await endless
})

test('where the read fails, those that waited read for themselves', async () => {
  const { get, reads, readsOf, requestsOf } = await startPages()
  const [first, second, third] = [get('/page'), get('/page'), get('/page')]
  await requestsOf(3)
  expect(reads).toHaveLength(1)
  reads[0]?.fail()
  expect((await first).statusCode).toBe(500)
  await readsOf(3)
  for (const { respond } of reads) respond()
  expect([(await second).statusCode, (await third).statusCode]).toEqual([200, 200])
})

test('a reader who leaves brings the page all the same', async () => {
  const { http, get, reads, readsOf, requestsOf } = await startPages()
  await http.listen({ host: '127.0.0.1', port: 0 })
  const address = http.server.address()
  const socket = connect({ host: '127.0.0.1', port: typeof address === 'object' ? (address?.port ?? 0) : 0 })
  socket.write('GET /page HTTP/1.1\r\nhost: here\r\n\r\n')
  await readsOf(1)
  socket.destroy()
  await once(socket, 'close')
  const waiting = get('/page')
  await requestsOf(2)
  reads[0]?.respond()
  expect((await waiting).body).toContain('0 x')
})

test('a change forgets every page, also one that is under way', async () => {
  const { hotPages, get, read, reads, readsOf } = await startPages()
  const kept = await read('/page?q=kept')
  const before = get('/page?q=slow')
  await readsOf(2)
  hotPages.clear()
  const after = get('/page?q=slow')
  await readsOf(3)
  for (const { respond } of reads) respond()
  expect((await before).body).toContain('1 x')
  expect((await after).body).toContain('2 x')
  expect((await get('/page?q=slow')).body).toContain('2 x')
  expect(await read('/page?q=kept')).not.toBe(kept)
})

test('who has just written is sent what is read now, and so is everybody after', async () => {
  const { get, read, reads, readsOf } = await startPages()
  await read('/page')
  const own = get('/page', { 'x-wrote': 'yes' })
  await readsOf(2)
  reads[1]?.respond()
  expect((await own).body).toContain('1 x')
  expect((await get('/page')).body).toContain('1 x')
})

test('other URLs and other forms are pages of their own, or none', async () => {
  const { get, read, reads, readsOf } = await startPages()
  await read('/page?q=a')
  await read('/page?q=b')
  await read('/page?q=a&run=1')
  await read('/page?q=a&run=1')
  const other = get('/page?q=a', { accept: 'application/vnd.agent-marketplace.v2+json' })
  await readsOf(5)
  reads[4]?.respond()
  await other
})

test('beyond the bound the oldest pages go first', async () => {
  const { get, read, reads } = await startPages({ maxBytes: 5 * BODY_LENGTH })
  for (const page of ['a', 'b', 'c', 'd', 'e', 'f']) await read(`/page?q=${page}`)
  const readBefore = reads.length
  for (const page of ['f', 'e', 'd']) await get(`/page?q=${page}`)
  expect(reads).toHaveLength(readBefore)
  await read('/page?q=a')
})
