import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { startConsole, type TestConsole } from './testing/start-console.ts'

let api: TestConsole
let headers: Record<string, string>
let adminId: string
beforeAll(async () => {
  api = await startConsole()
  const made = await api.newAdmin()
  headers = made.headers
  adminId = made.ownerId
})
afterAll(() => api.close())

const decide = (ownerId: string, verb: string, more: Record<string, string> = {}) =>
  api.post(`/owners/${ownerId}/${verb}`, { ...headers, ...more }, { reason: ' Two complaints. ' })

describe('deciding', () => {
  const moves = {
    suspend: { from: ['ACTIVE'], to: 'SUSPENDED', action: 'owner.suspended', told: 'ACCOUNT_SUSPENDED' },
    deactivate: {
      from: ['ACTIVE', 'SUSPENDED'],
      to: 'DEACTIVATED',
      action: 'owner.deactivated',
      told: 'ACCOUNT_SUSPENDED',
    },
    reinstate: {
      from: ['SUSPENDED', 'DEACTIVATED'],
      to: 'ACTIVE',
      action: 'owner.reinstated',
      told: 'ACCOUNT_REINSTATED',
    },
  }
  const cases = Object.entries(moves).flatMap(([verb, move]) =>
    (['ACTIVE', 'SUSPENDED', 'DEACTIVATED'] as const).map((from) => ({
      ...move,
      verb,
      from,
      allowed: move.from,
    })),
  )

  test.each(cases)('$verb an account that is $from', async ({ verb, from, to, allowed, action, told }) => {
    const { ownerId } = await api.newOwner({ accountStatus: from })
    const response = await decide(ownerId, verb, { 'x-request-id': 'request-12345678' })
    if (!allowed.includes(from)) {
      expect(response.statusCode).toBe(409)
      expect(response.json().error).toMatchObject({
        code: 'INVALID_STATE',
        details: { status: from, allowed },
      })
      expect(await api.entriesOf(ownerId)).toEqual([])
      expect(await api.notificationsOf(ownerId)).toEqual([])
      return
    }
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({ id: ownerId, accountStatus: to, isAdmin: false })
    expect(await api.entriesOf(ownerId)).toEqual([
      {
        actorId: adminId,
        action,
        details: {
          before: { accountStatus: from },
          after: { accountStatus: to },
          reason: 'Two complaints.',
          requestId: response.headers['x-request-id'],
        },
      },
    ])
    expect(await api.notificationsOf(ownerId)).toEqual([
      { type: told, message: expect.stringContaining('Two complaints.') },
    ])
  })

  test('twice with one key happens once', async () => {
    const { ownerId } = await api.newOwner()
    const key = { 'idempotency-key': `suspend ${ownerId}`.replace(' ', '-') }
    const [first, second] = [await decide(ownerId, 'suspend', key), await decide(ownerId, 'suspend', key)]
    expect(second.statusCode).toBe(200)
    expect(second.json()).toEqual(first.json())
    expect(await api.entriesOf(ownerId)).toHaveLength(1)
  })

  test('by two admins at once happens once', async () => {
    const { ownerId } = await api.newOwner()
    const responses = await Promise.all([decide(ownerId, 'suspend'), decide(ownerId, 'suspend')])
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(await api.entriesOf(ownerId)).toHaveLength(1)
  })

  test('on oneself is forbidden', async () => {
    for (const verb of ['suspend', 'deactivate', 'reinstate']) {
      expect((await decide(adminId, verb)).statusCode).toBe(403)
    }
    expect(await api.entriesOf(adminId)).toEqual([])
  })
})

test('a suspension is felt by the next request, though the session was cached', async () => {
  const { ownerId, headers: own } = await api.newOwner()
  const upload = async () => {
    const payload = { content: 'hello' }
    return (await api.http.inject({ method: 'POST', url: '/api/files', headers: own, payload })).statusCode
  }
  expect(await upload()).toBe(201)
  await decide(ownerId, 'suspend')
  expect(await upload()).toBe(403)
  await decide(ownerId, 'reinstate')
  expect(await upload()).toBe(201)
})

describe('listing', () => {
  const list = async (query: string) => (await api.get(`/owners?${query}`, headers)).json().data

  test('finds by wallet in any letter case, by part of a name or email, and by status', async () => {
    const { ownerId, wallet } = await api.newOwner({ kycStatus: 'VERIFIED' })
    await api.db.run(sql`
      update owners set entity_name = 'Analytical 100% Engines', email = 'ada_l@example.com', account_status = 'SUSPENDED'
      where id = ${ownerId}`)
    const ids = async (query: string) => (await list(query)).owners.map((owner: { id: string }) => owner.id)
    expect(await ids(`q=${wallet.address.toUpperCase().replace('0X', '0x')}`)).toEqual([ownerId])
    expect(await ids('q=analytical')).toEqual([ownerId])
    expect(await ids('q=100%25')).toEqual([ownerId])
    expect(await ids('q=a_l%40')).toEqual([ownerId])
    // Signs of the pattern language are letters like any other.
    expect(await ids('q=an%25engines')).toEqual([])
    expect(await ids('q=adaXl')).toEqual([])
    expect(await ids('q=analytical&accountStatus=ACTIVE')).toEqual([])
    expect(await ids('q=analytical&accountStatus=SUSPENDED&kycStatus=VERIFIED')).toEqual([ownerId])
  })

  test('pages, newest first, and marks admins', async () => {
    const all = await list('limit=100')
    expect(all.total).toBe(all.owners.length)
    expect(all.total).toBeGreaterThan(3)
    const pages = [await list('limit=2'), await list('limit=2&offset=2')]
    expect(pages.flatMap(({ owners }) => owners)).toEqual(all.owners.slice(0, 4))
    expect(pages[1]).toMatchObject({ total: all.total, limit: 2, offset: 2 })
    const marked = all.owners.filter((owner: { isAdmin: boolean }) => owner.isAdmin)
    expect(marked.map(({ id }: { id: string }) => id)).toEqual([adminId])
  })
})
