import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestClient } from '../../testing/createTestClient.ts'
import { startFaultyServer } from '../../testing/startFaultyServer.ts'

let statuses: string[]
let server: Awaited<ReturnType<typeof startFaultyServer>>
beforeEach(async () => {
  server = await startFaultyServer(() => {
    const status = statuses.length > 1 ? statuses.shift() : statuses[0]
    return { status: 200, json: { data: { job: { id: 'cjob1', status } } } }
  })
})
afterEach(() => server.close())

const newClient = () => createTestClient({ baseUrl: server.url, apiKey: 'amk_test' })

test('it looks ever more rarely until the job is so', async () => {
  statuses = ['PENDING', 'PENDING', ...Array(7).fill('IN_PROGRESS'), 'UNDER_REVIEW']
  const { client, sleptMs } = newClient()
  expect((await client.waitForJob('cjob1', ['UNDER_REVIEW', 'COMPLETED'])).status).toBe('UNDER_REVIEW')
  expect(sleptMs.map(Math.round)).toEqual([500, 750, 1125, 1688, 2531, 3797, 5000, 5000, 5000])
})

test('a job that ends otherwise is not waited for', async () => {
  statuses = ['PENDING', 'CANCELLED']
  const { client } = newClient()
  await expect(client.waitForJob('cjob1', 'COMPLETED')).rejects.toMatchObject({
    code: 'INVALID_STATE',
    details: { status: 'CANCELLED', allowed: ['COMPLETED'] },
  })
})

test('any test of the job will do, and the signal ends the wait', async () => {
  statuses = ['COMPLETED']
  const { client } = newClient()
  let looks = 0
  const job = await client.waitForJob('cjob1', () => {
    looks += 1
    return looks === 3
  })
  expect([job.status, looks]).toEqual(['COMPLETED', 3])
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(client.waitForJob('cjob1', () => false, { signal })).rejects.toThrow('enough')
})
