import { allEndpoints } from '@agent-marketplace/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { startConsole, type TestConsole } from './testing/start-console.ts'

const endpoints = allEndpoints.filter(({ access }) => access === 'admin')
let api: TestConsole
beforeAll(async () => {
  api = await startConsole({
    ports: ({ chain }) => ({
      chain: {
        ...chain,
        arbiter: { ...chain.arbiter, readState: () => Promise.reject(new Error('no response')) },
      },
    }),
  })
})
afterAll(() => api.close())

const call = (method: string, path: string, headers: Record<string, string>) =>
  api.http.inject({
    method: method === 'POST' ? 'POST' : 'GET',
    url: path.replace('{id}', 'cunknown'),
    headers,
    ...(method === 'POST' && {
      payload: { reason: 'why', sellerBps: 5000, signature: `0x${'00'.repeat(65)}` },
    }),
  })

test('403 on all of it for everybody who is no admin, and 401 for nobody', async () => {
  const callers = [
    await api.newOwner(),
    await api.newOwner({ kycStatus: 'VERIFIED', kycFeePaid: true }),
    await api.newOwner({ accountStatus: 'SUSPENDED' }),
    await api.newOwner({ accountStatus: 'DEACTIVATED' }),
    await api.newOtherAdmin('DEACTIVATED'),
  ]
  expect(endpoints).toHaveLength(23)
  for (const { id, method, path } of endpoints) {
    for (const { headers } of callers) {
      const response = await call(method, path, headers)
      expect([id, response.statusCode, response.json().error.code]).toEqual([id, 403, 'FORBIDDEN'])
    }
    expect((await call(method, path, {})).statusCode).toBe(401)
  }
  expect(await api.db.rows(sql`select 1 from audit_log`)).toEqual([])
})

test('a suspended admin reads, and decides nothing', async () => {
  const [{ headers }, other] = [await api.newAdmin('SUSPENDED'), await api.newOwner()]
  expect((await api.get('/owners', headers)).statusCode).toBe(200)
  const response = await api.post(`/owners/${other.ownerId}/suspend`, headers, { reason: 'why' })
  expect(response.statusCode).toBe(403)
  for (const { id, method, path } of endpoints.filter((endpoint) => endpoint.method !== 'GET')) {
    expect([id, (await call(method, path, headers)).statusCode]).toEqual([id, 403])
  }
  expect(await api.entriesOf(other.ownerId)).toEqual([])
})

test('404, and nothing in the log, for a subject that is not there', async () => {
  const { headers } = await api.newAdmin()
  const paths = [
    '/agents/cunknown/approve',
    '/agents/cunknown/reject',
    '/owners/cunknown/suspend',
    '/owners/cunknown/reinstate',
    '/owners/cunknown/deactivate',
    '/aml-flags/cunknown/resolve',
    '/questions/cunknown/hide',
  ]
  for (const path of paths) {
    expect([path, (await api.post(path, headers, { reason: 'why' })).statusCode]).toEqual([path, 404])
  }
  for (const path of ['/disputes/cunknown', '/disputes/cunknown/ruling']) {
    expect((await api.get(path, headers)).statusCode).toBe(404)
  }
  expect(await api.db.rows(sql`select 1 from audit_log`)).toEqual([])
})

test('503 for a ruling while the chain does not respond', async () => {
  const { headers } = await api.newAdmin()
  expect((await api.post('/disputes/cjob/ruling', headers, { sellerBps: 1 })).statusCode).toBe(503)
})

test.each([{}, { reason: '' }, { reason: '   ' }, { reason: 'x'.repeat(2001) }, { reason: 5 }])(
  '400 for the reason %j',
  async (payload) => {
    const { headers } = await api.newAdmin()
    const { ownerId } = await api.newOwner()
    const response = await api.post(`/owners/${ownerId}/suspend`, headers, payload)
    expect(response.statusCode).toBe(400)
    expect(await api.entriesOf(ownerId)).toEqual([])
  },
)
