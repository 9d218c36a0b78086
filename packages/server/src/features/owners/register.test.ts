import { formMediaTypes } from '@agent-marketplace/contract'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { createSumsubKyc } from '../../ports/kyc/sumsub.ts'
import { createTestOwners, registration } from './testing/test-owners.ts'

const api = await createTestOwners()
const { register } = api
afterAll(() => api.close())
afterEach(() => {
  api.provider.port = api.sandboxKyc
  api.provider.calls = 0
})

function storedOwner(ownerId: string) {
  return api.db.one<Record<string, unknown>>(sql`select * from owners where id = ${ownerId}`)
}

/** A provider at an address where nobody listens. */
function deadProvider() {
  return createSumsubKyc({
    url: 'http://127.0.0.1:1',
    appToken: 'token',
    secretKey: 'secret',
    webhookSecret: 'webhook',
    levelName: 'level',
    clock: api.clock,
  })
}

describe('200', () => {
  test('starts the verification, stores who it is and notifies the owner', async () => {
    const { ownerId, headers } = await api.signUp()
    const response = await register(headers, {
      ...registration,
      entityName: ' Zoe\u0308 \u202eLtd ',
      city: 'London',
      state: ' ',
      isAdmin: true,
      kycStatus: 'VERIFIED',
      kycFeePaid: true,
    })
    expect(response.statusCode).toBe(200)
    const { owner, kycSessionId, kycUrl } = response.json().data
    expect(owner).toMatchObject({
      id: ownerId,
      entityName: 'Zo\u00eb Ltd',
      kycStatus: 'IN_REVIEW',
      kycFeePaid: false,
      isAdmin: false,
    })
    expect(kycUrl).toBe(`http://localhost:4000/sandbox/kyc/${kycSessionId}`)
    expect((await api.told(ownerId)).map(({ type }) => type)).toEqual(['KYC_STARTED'])
  })

  test.each([undefined, formMediaTypes.a, formMediaTypes.b])(
    'the response has one form for Accept %s',
    async (accept) => {
      const { headers } = await api.signUp()
      const response = await register({ ...headers, ...(accept ? { accept } : {}) })
      expect(response.statusCode).toBe(200)
      expect(Object.keys(response.json().data)).toEqual(['owner', 'kycSessionId', 'kycUrl'])
      expect(response.headers['content-type']).toContain(accept ?? 'application/json')
    },
  )

  test('asking again while in review gives the same session without asking the provider', async () => {
    const { ownerId, headers } = await api.signUp()
    const first = await register(headers)
    const again = await register(headers, { ...registration, entityName: 'Another name' })
    expect(again.json()).toEqual(first.json())
    expect(api.provider.calls).toBe(1)
    expect(await api.told(ownerId)).toHaveLength(1)
  })

  test('an address that has run out is renewed for the same applicant', async () => {
    const { ownerId, headers } = await api.signUp()
    const first = await register(headers)
    await api.db.run(
      sql`update kyc_sessions set url_expires_at = ${api.clock.now()} where owner_id = ${ownerId}`,
    )
    const again = await register(headers)
    expect(again.json().data.kycSessionId).toBe(first.json().data.kycSessionId)
    expect(api.provider.calls).toBe(2)
    expect(await api.told(ownerId)).toHaveLength(1)
  })

  test('the rejected may register again', async () => {
    const { ownerId, headers } = await api.signUp()
    await register(headers)
    await api.setKyc(headers, { status: 'REJECTED' })
    const response = await register(headers, { ...registration, entityName: 'Second try' })
    expect(response.json().data.owner).toMatchObject({ kycStatus: 'IN_REVIEW', entityName: 'Second try' })
    expect((await api.told(ownerId)).map(({ type }) => type)).toEqual([
      'KYC_STARTED',
      'KYC_REJECTED',
      'KYC_STARTED',
    ])
  })

  test('twenty at once are one registration', async () => {
    const { ownerId, headers } = await api.signUp()
    const responses = await Promise.all(Array.from({ length: 20 }, () => register(headers)))
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(new Set(responses.map(({ body }) => body)).size).toBe(1)
    expect(await api.told(ownerId)).toHaveLength(1)
  })

  test('a registration that fails after the provider was asked stores nothing, and the next has the same applicant', async () => {
    const { ownerId, headers } = await api.signUp()
    const applicants: string[] = []
    api.provider.port = {
      ...api.sandboxKyc,
      async startSession(applicant) {
        const session = await api.sandboxKyc.startSession(applicant)
        applicants.push(session.sessionId)
        return session
      },
    }
    await api.db.run(sql`alter table notifications rename to hidden`)
    const lost = await register(headers)
    await api.db.run(sql`alter table hidden rename to notifications`)
    expect(lost.statusCode).toBe(500)
    expect(await api.kycStatusOf(ownerId)).toBe('PENDING')
    const { kycSessionId } = (await register(headers)).json().data
    expect(applicants).toEqual([kycSessionId, kycSessionId])
  })

  test('a repeated Idempotency-Key gets its first response, whatever the state is by now', async () => {
    const { ownerId, headers } = await api.signUp()
    const keyed = { ...headers, 'idempotency-key': 'once' }
    const first = await register(keyed)
    await api.setKyc(headers, { status: 'VERIFIED' })
    const again = await register(keyed)
    expect(again.statusCode).toBe(200)
    expect(again.json()).toEqual(first.json())
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(await api.kycStatusOf(ownerId)).toBe('VERIFIED')
  })
})

describe('400', () => {
  test.each([
    ['nothing', {}],
    ['a blank name', { ...registration, entityName: ' \u202e ' }],
    ['a number for a name', { ...registration, entityName: 7 }],
    ['an address that is none', { ...registration, email: 'ada' }],
    ['a NUL character', { ...registration, entityName: 'Ada\u0000' }],
    ['half a surrogate pair', { ...registration, city: '\ud800' }],
  ])('%s', async (_case, payload) => {
    const { ownerId, headers } = await api.signUp()
    const response = await register(headers, payload)
    expect(response.statusCode).toBe(400)
    expect(response.json().error.code).toBe('VALIDATION_ERROR')
    expect(response.json().error.details.issues.length).toBeGreaterThan(0)
    expect(api.provider.calls).toBe(0)
    expect(await api.kycStatusOf(ownerId)).toBe('PENDING')
  })
})

test('401 without a credential', async () => {
  expect((await register({})).statusCode).toBe(401)
})

describe('403', () => {
  test.each(['SUSPENDED', 'DEACTIVATED'] as const)('%s', async (accountStatus) => {
    const { ownerId, headers } = await api.signUp()
    await api.setAccountStatus(ownerId, accountStatus)
    expect((await register(headers)).json().error).toMatchObject({ code: 'FORBIDDEN', statusCode: 403 })
  })

  test('a cookie without the CSRF token', async () => {
    const { ownerId, cookie } = await api.signUp()
    expect((await register({ cookie })).json().error.code).toBe('FORBIDDEN')
    expect(await api.kycStatusOf(ownerId)).toBe('PENDING')
  })
})

describe('409', () => {
  test('the verified need not register', async () => {
    const { headers } = await api.signUp()
    await api.setKyc(headers, { status: 'VERIFIED' })
    const response = await register(headers)
    expect(response.statusCode).toBe(409)
    expect(response.json().error).toMatchObject({
      code: 'INVALID_STATE',
      details: { status: 'VERIFIED', allowed: ['PENDING', 'IN_REVIEW', 'REJECTED'] },
    })
    expect(api.provider.calls).toBe(0)
  })

  test('an Idempotency-Key stands for one request', async () => {
    const { headers } = await api.signUp()
    const keyed = { ...headers, 'idempotency-key': 'once' }
    await register(keyed)
    const response = await register(keyed, { ...registration, entityName: 'Other' })
    expect(response.json().error.code).toBe('IDEMPOTENCY_CONFLICT')
  })
})

describe('503', () => {
  test('a provider that is down changes nothing, and a retry with the same key works', async () => {
    const { ownerId, headers } = await api.signUp()
    const keyed = { ...headers, 'idempotency-key': 'retried' }
    const before = await storedOwner(ownerId)
    api.provider.port = deadProvider()
    const response = await register(keyed)
    expect(response.statusCode).toBe(503)
    expect(response.json().error.code).toBe('UNAVAILABLE')
    expect(response.headers['retry-after']).toBe('2')
    expect(await storedOwner(ownerId)).toEqual(before)
    expect(await api.told(ownerId)).toEqual([])
    api.provider.port = api.sandboxKyc
    expect((await register(keyed)).statusCode).toBe(200)
  })
  test('a verification that changes while the provider is asked wants another try', async () => {
    const { ownerId, headers } = await api.signUp()
    api.provider.port = {
      ...api.sandboxKyc,
      async startSession(applicant) {
        api.provider.port = api.sandboxKyc
        await register(headers, { ...registration, entityName: 'Another name' })
        await api.setKyc(headers, { status: 'REJECTED' })
        return api.sandboxKyc.startSession(applicant)
      },
    }
    const late = await register(headers)
    expect(late.statusCode).toBe(503)
    expect(late.json().error).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Your verification changed just now. Try again.',
    })
    expect(await api.kycStatusOf(ownerId)).toBe('REJECTED')
    expect((await register(headers)).statusCode).toBe(200)
  })
})
