import { expect, test } from 'vitest'
import { createConnection } from './connection.ts'

/** A service that can be switched off, and pauses that end when the test says so. */
function open() {
  const service = { isUp: true, status: 200 }
  const pauses: (() => void)[] = []
  const connection = createConnection({
    fetch: async () => {
      if (!service.isUp) throw new TypeError('Failed to fetch')
      return new Response(null, { status: service.status })
    },
    isOnline: () => true,
    sleep: () => new Promise((resolve) => pauses.push(resolve)),
  })
  const pass = async () => {
    await new Promise(setImmediate)
    for (const end of pauses.splice(0)) end()
    await new Promise(setImmediate)
  }
  return { service, connection, pass }
}

test('a call without a response shows that the service is gone, and its return is noticed', async () => {
  const { service, connection, pass } = open()
  const seen: boolean[] = []
  connection.subscribe(() => seen.push(connection.isUp()))
  service.isUp = false
  await expect(connection.fetch('/api/config')).rejects.toThrow('Failed to fetch')
  await pass()
  expect(seen).toEqual([false])
  const up = connection.untilUp()
  service.isUp = true
  await pass()
  await up
  expect(seen).toEqual([false, true])
})

test('one part that is unavailable is not the whole service', async () => {
  const { connection } = open()
  let calls = 0
  const busy = createConnection({
    fetch: async () => new Response(null, { status: calls++ === 0 ? 503 : 200 }),
    isOnline: () => true,
    sleep: () => Promise.reject(new Error('nothing to wait for')),
  })
  expect((await busy.fetch('/api/agents')).status).toBe(503)
  await busy.untilUp()
  expect(busy.isUp()).toBe(true)
  await connection.untilUp()
  expect(connection.isUp()).toBe(true)
})

test('a call that was given up says nothing about the service', async () => {
  const { service, connection, pass } = open()
  service.isUp = false
  await expect(connection.fetch('/api/config', { signal: AbortSignal.abort() })).rejects.toThrow(
    'Failed to fetch',
  )
  await pass()
  expect(connection.isUp()).toBe(true)
})

test('a refusal for going too fast is known until it is over', async () => {
  const { service, connection, pass } = open()
  service.status = 429
  expect((await connection.fetch('/api/config')).status).toBe(429)
  expect([connection.isSlowed(), connection.isUp()]).toEqual([true, true])
  await pass()
  expect(connection.isSlowed()).toBe(false)
})
