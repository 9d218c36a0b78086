import { defineEndpoint, oneForm, rateLimitsPerMinute } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { createTestHttp } from '../../../testing/test-http.ts'
import { route } from '../call.ts'
import { createOverload } from './overload.ts'

// What overload never refuses, and what is refused for another reason, says nothing about how busy the service is.

const doing = {
  method: 'GET',
  access: 'public',
  tag: 'Test',
  summary: 'test',
  description: 'test',
  status: 200,
  errors: [],
  response: oneForm(Type.Object({ data: Type.Integer() })),
} as const
const rates = { page: 'none', read: 'api', search: 'search' } as const
type Name = keyof typeof rates

/** A server whose calls can be held until the test releases them. */
async function startHolding({ rateLimitsEnforced = true } = {}) {
  const clock = { nowMs: 0 }
  const release: (() => void)[] = []
  let isHolding = false
  const calls = (Object.keys(rates) as Name[]).map((id) =>
    route(defineEndpoint({ ...doing, id, rate: rates[id], path: `/api/${id}` }), async () => {
      if (isHolding) await new Promise<void>((resolve) => release.push(resolve))
      return { data: 1 }
    }),
  )
  const overload = createOverload({ nowMs: () => clock.nowMs })
  const server = await createTestHttp(calls, { overload, rateLimitsEnforced })
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    for (const end of release) end()
    await server.close()
  })
  const statusOf = async (name: Name) => (await fetch(`${url}/api/${name}`)).status
  const hold = async (name: Name, count: number) => {
    isHolding = true
    const statuses = Array.from({ length: count }, () => statusOf(name))
    await expect.poll(() => release.length).toBe(count)
    isHolding = false
    return statuses
  }
  return { clock, release, statusOf, hold }
}

test('what is never refused takes no room', async () => {
  const { statusOf, hold, release } = await startHolding()
  const pages = await hold('page', 250)
  expect(await statusOf('read')).toBe(200)
  for (const end of release) end()
  expect(new Set(await Promise.all(pages))).toEqual(new Set([200]))
})

test.each([
  ['page', 200],
  ['search', 429],
] as const)('a %s with %i does not hide that the rest is slow', async (quick, status) => {
  const { clock, statusOf, hold, release } = await startHolding()
  for (let count = 0; count < rateLimitsPerMinute.search; count += 1) await statusOf('search')
  clock.nowMs = 10_000
  const [first] = await hold('read', 30)
  clock.nowMs += 600
  expect(await statusOf(quick)).toBe(status)
  release[0]?.()
  expect(await first).toBe(200)
  expect(await statusOf('read')).toBe(503)
})

test('a probe is served while all places are taken', async () => {
  const { statusOf, hold } = await startHolding({ rateLimitsEnforced: false })
  await hold('read', 200)
  expect(await statusOf('read')).toBe(503)
  expect(await statusOf('page')).toBe(200)
})
