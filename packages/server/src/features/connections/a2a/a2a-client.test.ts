import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createHostLanes, LANES_PER_HOST } from '../../../platform/outbound/host-lanes.ts'
import { createSealer } from '../../../platform/sealing/sealer.ts'
import type { ConnectionRow } from '../store.ts'
import { type A2aProgram, startA2aAgent } from '../testing/start-a2a-agent.ts'
import { createA2aAgent } from './a2a-agent.ts'
import { createA2aClient } from './a2a-client.ts'
import { cardUrlOf } from './card-url.ts'

/** What a card or an agent that means harm can make of a call: it ends, and it is a failure. */

let agent: A2aProgram
beforeAll(async () => {
  agent = await startA2aAgent()
})
afterAll(() => agent.close())
beforeEach(() => agent.reset())

const hostLanes = createHostLanes()
const lookWith = (url: string, options: { allowsLocal?: boolean; timeoutMs?: number } = {}) =>
  createA2aClient({ allowsLocal: true, hostLanes, ...options }).getTask(
    { url, sellerId: 'seller', token: undefined },
    'task-1',
  )

test('the card lies where the URL says, or below it', () => {
  expect(cardUrlOf('https://a.example.com')).toBe('https://a.example.com/.well-known/agent-card.json')
  expect(cardUrlOf('https://a.example.com/b/')).toBe('https://a.example.com/b/.well-known/agent-card.json')
  expect(cardUrlOf('https://a.example.com/card.json')).toBe('https://a.example.com/card.json')
})

test('in production neither the card nor its interface is read from a local address', async () => {
  expect(await lookWith(agent.url, { allowsLocal: false })).toMatchObject({
    kind: 'FAILURE',
    error: 'Only https is allowed.',
  })
  expect(await lookWith(agent.url.replace('http:', 'https:'), { allowsLocal: false })).toMatchObject({
    kind: 'FAILURE',
    error: 'The host is a private or local address.',
  })
  expect(agent.headers).toEqual([])
})

test('an interface on a private address is not called', async () => {
  agent.nameInterface('http://10.0.0.1/rpc')
  expect(await lookWith(agent.url)).toMatchObject({
    kind: 'FAILURE',
    error: 'The host is a private or local address.',
  })
})

test('a redirect is not followed', async () => {
  agent.interceptWith((_request, response) => {
    response.writeHead(302, { location: agent.url }).end()
    return true
  })
  expect(await lookWith(agent.url)).toMatchObject({ kind: 'FAILURE', status: 302 })
  expect(agent.headers).toHaveLength(1)
})

test('an endless response ends with the limit', async () => {
  agent.interceptWith((_request, response) => {
    response.writeHead(200)
    const chunk = 'x'.repeat(64 * 1024)
    const pour = () => {
      if (!response.destroyed) response.write(chunk, () => setImmediate(pour))
    }
    pour()
    return true
  })
  expect(await lookWith(agent.url)).toMatchObject({ kind: 'FAILURE', error: 'The response is too large.' })
})

test('an agent that says nothing ends with the time limit', async () => {
  agent.interceptWith(() => true)
  expect(await lookWith(agent.url, { timeoutMs: 50 })).toMatchObject({
    kind: 'FAILURE',
    error: 'No response within 0.05 s.',
  })
})

test('a task that the agent does not know is lost, and what is no A2A is a failure', async () => {
  expect(await lookWith(agent.url)).toMatchObject({ kind: 'LOST' })
  agent.interceptWith((_request, response) => {
    response.writeHead(200).end('{"name":"Old","url":"https://a.example.com","protocolVersion":"0.3"}')
    return true
  })
  expect(await lookWith(agent.url)).toMatchObject({
    kind: 'FAILURE',
    error: 'The agent card names no interface of A2A 1.0 over JSON-RPC or HTTP+JSON.',
  })
})

test('a response of another shape is called that, not by the words of our own reading', async () => {
  agent.interceptWith((request, response) => {
    if (request.method !== 'POST') return false
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: null }))
    return true
  })
  expect(await lookWith(agent.url)).toMatchObject({
    kind: 'FAILURE',
    error: 'The agent’s response is not A2A.',
  })
})

test('a host that a card names is not crowded either', async () => {
  agent.nameInterface('http://localhost:1/rpc')
  const leave = Array.from({ length: LANES_PER_HOST }, (_, owner) =>
    hostLanes.enter('http://localhost:1/', `owner${owner}`),
  )
  expect(await lookWith(agent.url)).toMatchObject({
    kind: 'FAILURE',
    error: 'The host has too many calls at the moment.',
  })
  for (const one of leave) one?.()
})

test('of a card a few interfaces are kept, none of them long', async () => {
  const path = (length: number) => `${agent.url}/${'x'.repeat(length)}`
  const interfaceOf = (url: string) => ({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' })
  const showCard = (...urls: string[]) =>
    agent.interceptWith((request, response) => {
      if (request.method !== 'GET') return false
      const card = { name: 'A', description: 'x'.repeat(100_000), supportedInterfaces: urls.map(interfaceOf) }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card))
      return true
    })
  const long = path(5_000)
  showCard(...Array.from({ length: 7 }, () => long), path(10))
  expect(await lookWith(agent.url)).toMatchObject({ kind: 'LOST' })
  showCard(...Array.from({ length: 8 }, () => long), path(10))
  expect(await lookWith(agent.url)).toMatchObject({
    kind: 'FAILURE',
    error: 'The agent card names no interface of A2A 1.0 over JSON-RPC or HTTP+JSON.',
  })
})

test('of a response as much is kept as a person reads, however its data is nested', async () => {
  const nested = (depth: number, inside: string) => '['.repeat(depth) + inside + ']'.repeat(depth)
  const bodies = [nested(200, `${'1,'.repeat(400_000)}1`), nested(100_000, '1')]
  for (const body of bodies) {
    agent.interceptWith((request, response) => {
      if (request.url?.endsWith('agent-card.json')) return false
      const task = `{"id":"task-1","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[{"data":${body}}]}]}`
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`{"jsonrpc":"2.0","id":1,"result":${task}}`)
      return true
    })
    const looked = await createA2aAgent({
      client: createA2aClient({ allowsLocal: true, hostLanes }),
      sealer: createSealer({ current: { id: 'k1', key: Buffer.alloc(32, 1) } }),
    }).look({ agentId: 'a', url: agent.url, sealedToken: null } as ConnectionRow, 'task-1', null)
    expect(looked).toMatchObject({ text: expect.any(String) })
    expect(looked !== 'LOST' && looked.text?.length).toBeLessThanOrEqual(4_000)
  }
})
