import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Api, createDoor } from './door.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function startApi(listener: RequestListener): Promise<Api> {
  const server = createServer(listener)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { name: 'api-1', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function startGoneApi(): Promise<Api> {
  const api = await startApi(() => undefined)
  const server = servers.pop()
  server?.close()
  await once(server ?? expect.unreachable(), 'close')
  return api
}

const cutAfterRequest: RequestListener = (request) =>
  void request.resume().on('end', () => request.socket.destroy())

const post = { method: 'POST', body: '{}' }

test('a graceful restart may refuse connections', async () => {
  const api = await startGoneApi()
  const door = createDoor([api])
  door.tolerate(api, 'refused')
  await expect(door.send('10.0.0.1', '/api/jobs', post)).rejects.toThrow()
  expect(door.problems).toEqual([])
})

test('a graceful restart must not cut what was sent', async () => {
  const api = await startApi(cutAfterRequest)
  const door = createDoor([api])
  door.tolerate(api, 'refused')
  await expect(door.send('10.0.0.1', '/api/jobs', post)).rejects.toThrow()
  expect(door.problems).toMatchObject([expect.stringContaining('POST /api/jobs got no response of api-1')])
})

test('a process that is out of rotation owes nothing to what is sent to it, and gets nothing of clients', async () => {
  const stopping = await startApi(cutAfterRequest)
  const other = { ...(await startApi((_, response) => void response.end('{}'))), name: 'api-2' }
  const door = createDoor([stopping, other], { has: ({ name }) => name === 'api-2' })
  door.tolerate(stopping, 'refused')
  await expect(door.sendTo(stopping, '10.0.0.1', '/api/jobs', post)).rejects.toThrow()
  for (let call = 0; call < 4; call += 1)
    expect((await door.send('10.0.0.1', '/api/jobs', post)).status).toBe(200)
  expect(door.problems).toEqual([])
})

test('a graceful restart must not cut a response', async () => {
  const api = await startApi((_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{', () => response.destroy())
  })
  const door = createDoor([api])
  door.tolerate(api, 'refused')
  await expect(door.send('10.0.0.1', '/api/jobs', post)).rejects.toThrow()
  expect(door.problems).toHaveLength(1)
})

test('a process that is killed may cut everything, another one nothing', async () => {
  const killed = await startApi(cutAfterRequest)
  const other = { ...(await startApi(cutAfterRequest)), name: 'api-2' }
  const door = createDoor([killed, other])
  door.tolerate(killed, 'broken')
  await expect(door.sendTo(killed, '10.0.0.1', '/api/jobs', post)).rejects.toThrow()
  expect(door.problems).toEqual([])
  await expect(door.sendTo(other, '10.0.0.1', '/api/jobs', post)).rejects.toThrow()
  expect(door.problems).toHaveLength(1)
})

test('nothing may be refused while no process restarts', async () => {
  const api = await startGoneApi()
  const door = createDoor([api])
  await expect(door.send('10.0.0.1', '/api/jobs', post)).rejects.toThrow()
  expect(door.problems).toMatchObject([expect.stringContaining('ECONNREFUSED')])
})

test('a 503 without Retry-After is a problem at all times', async () => {
  const api = await startApi((request, response) => {
    const headers: Record<string, string> = request.url === '/clean' ? { 'retry-after': '2' } : {}
    response.writeHead(503, headers).end('{}')
  })
  const door = createDoor([api])
  door.tolerate(api, 'refused')
  await door.send('10.0.0.1', '/clean', {})
  expect(door.problems).toEqual([])
  await door.send('10.0.0.1', '/hasty', {})
  expect(door.problems).toEqual(['/hasty returned 503: {}'])
})

test('a caller may give a call up; a call that takes too long is a problem', async () => {
  const api = await startApi(() => undefined)
  const door = createDoor([api])
  await expect(door.send('10.0.0.1', '/slow', { signal: AbortSignal.abort() })).rejects.toThrow()
  expect(door.problems).toEqual([])
  await expect(door.send('10.0.0.1', '/slow', { signal: AbortSignal.timeout(0) })).rejects.toThrow()
  expect(door.problems).toMatchObject([expect.stringContaining('TimeoutError')])
})
