import { allEndpoints } from '@agent-marketplace/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { tokenFor } from '../../testing/test-http.ts'
import { startAdmin } from './testing/start-admin.ts'

let api: Awaited<ReturnType<typeof startAdmin>>
beforeAll(async () => {
  api = await startAdmin()
})
afterAll(() => api.close())

const call = (method: string, path: string, headers: Record<string, string>) =>
  api.app.inject({
    method: method === 'POST' ? 'POST' : 'GET',
    url: path.replace('{id}', 'cunknown'),
    headers,
    ...(method === 'POST' && {
      payload: { reason: 'why', sellerBps: 5000, signature: `0x${'00'.repeat(65)}` },
    }),
  })

test('every admin endpoint of the contract is served', () => {
  const served = api.routes.map(({ endpoint }) => endpoint.id)
  const declared = allEndpoints.filter(({ access }) => access === 'admin').map(({ id }) => id)
  expect(declared.filter((id) => !served.includes(id))).toEqual([])
  expect(new Set(served).size).toBe(served.length)
})

test('403 on all of it for everybody who is no admin, and 401 for nobody', async () => {
  const { ownerId } = await api.market.newSeller()
  const principals = [
    { ownerId },
    { ownerId, kycStatus: 'VERIFIED', kycFeePaid: true },
    { ownerId, accountStatus: 'SUSPENDED' },
    { ownerId, accountStatus: 'DEACTIVATED' },
    { ownerId, isAdmin: true, accountStatus: 'DEACTIVATED' },
  ] as const
  expect(api.routes).toHaveLength(22)
  for (const { endpoint } of api.routes) {
    const { method, path } = endpoint
    for (const principal of principals) {
      const response = await call(method, path, { authorization: `Bearer ${tokenFor(principal)}` })
      expect([endpoint.id, response.statusCode, response.json().error.code]).toEqual([
        endpoint.id,
        403,
        'FORBIDDEN',
      ])
    }
    expect((await call(method, path, {})).statusCode).toBe(401)
  }
  expect(await api.db.rows(sql`select 1 from audit_log`)).toEqual([])
})

test('a suspended admin reads, and decides nothing', async () => {
  const [{ ownerId }, other] = [await api.newAdmin(), await api.market.newSeller()]
  const principal = { ownerId, isAdmin: true, accountStatus: 'SUSPENDED' } as const
  const headers = { authorization: `Bearer ${tokenFor(principal)}` }
  expect((await api.get('/owners', headers)).statusCode).toBe(200)
  const response = await api.post(`/owners/${other.ownerId}/suspend`, headers, { reason: 'why' })
  expect(response.statusCode).toBe(403)
  for (const { endpoint } of api.routes.filter((served) => served.endpoint.method !== 'GET')) {
    const { id, method, path } = endpoint
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
    const { ownerId } = await api.market.newSeller()
    const response = await api.post(`/owners/${ownerId}/suspend`, headers, payload)
    expect(response.statusCode).toBe(400)
    expect(await api.entriesOf(ownerId)).toEqual([])
  },
)
