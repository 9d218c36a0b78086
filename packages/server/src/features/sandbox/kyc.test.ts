import { formMediaTypes } from '@agent-marketplace/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { signIn } from '../../testing/sign-in.ts'
import { startWorld } from '../../testing/start-world.ts'

const { http, db, wallClock: clock, close } = await startWorld()
afterAll(close)

const registration = {
  entityType: 'COMPANY',
  entityName: 'Analytical Engines Ltd',
  country: 'GB',
  email: 'ada@example.com',
}

function setKyc(headers: Record<string, string>, payload: object) {
  return http.inject({ method: 'POST', url: '/api/sandbox/kyc', headers, payload })
}

function register(headers: Record<string, string>, payload: object) {
  return http.inject({ method: 'POST', url: '/api/owners/register', headers, payload })
}

async function kycStatusOf(headers: Record<string, string>): Promise<string> {
  return (await http.inject({ method: 'GET', url: '/api/owners/me', headers })).json().owner.kycStatus
}

/** The feed of an owner, oldest first. */
async function told(headers: Record<string, string>): Promise<{ type: string; message: string }[]> {
  const answer = await http.inject({ method: 'GET', url: '/api/notifications', headers })
  return answer.json().data.notifications.reverse()
}

describe('POST /api/sandbox/kyc', () => {
  test.each([undefined, formMediaTypes.a, formMediaTypes.b])(
    '200: sets what is given, Accept %s',
    async (accept) => {
      const { ownerId, bearer: headers } = await signIn(http)
      const asked = { ...headers, ...(accept ? { accept } : {}) }
      const first = await setKyc(asked, { status: 'VERIFIED' })
      expect(first.statusCode).toBe(200)
      expect(first.json().data.owner).toMatchObject({ id: ownerId, kycStatus: 'VERIFIED', kycFeePaid: false })
      const second = await setKyc(asked, { feePaid: true })
      expect(second.json().data.owner).toMatchObject({ kycStatus: 'VERIFIED', kycFeePaid: true })
      const third = await setKyc(asked, {})
      expect(third.json()).toEqual(second.json())
      expect((await told(headers)).map(({ type }) => type)).toEqual(['KYC_VERIFIED'])
    },
  )

  test('200: the same key changes it once', async () => {
    const { bearer: headers } = await signIn(http)
    const keyed = { ...headers, 'idempotency-key': 'once' }
    await setKyc(keyed, { status: 'VERIFIED' })
    await setKyc(headers, { status: 'REJECTED' })
    expect((await setKyc(keyed, { status: 'VERIFIED' })).json().data.owner.kycStatus).toBe('VERIFIED')
    expect(await kycStatusOf(headers)).toBe('REJECTED')
  })

  test.each([[{ status: 'DONE' }], [{ feePaid: 'true' }]])('400: %o', async (payload) => {
    const { bearer: headers } = await signIn(http)
    expect((await setKyc(headers, payload)).json().error.code).toBe('VALIDATION_ERROR')
  })

  test('401 without a credential', async () => {
    expect((await setKyc({}, { status: 'VERIFIED' })).statusCode).toBe(401)
  })

  test('403 for a deactivated account', async () => {
    const { ownerId, bearer: headers } = await signIn(http)
    await db.run(sql`update owners set account_status = 'DEACTIVATED' where id = ${ownerId}`)
    expect((await setKyc(headers, { status: 'VERIFIED' })).statusCode).toBe(403)
  })
})

describe('the page behind kycUrl', () => {
  async function openSession(entityName = registration.entityName) {
    const { bearer: headers } = await signIn(http)
    const answer = await register(headers, { ...registration, entityName })
    return { headers, path: new URL(answer.json().data.kycUrl).pathname }
  }

  function press(path: string, form: Record<string, string>) {
    return http.inject({
      method: 'POST',
      url: path,
      payload: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  }

  const open = (path: string) => http.inject({ method: 'GET', url: path })

  test('200: shows the applicant and both decisions, and loads nothing from elsewhere', async () => {
    const { path } = await openSession('<script>alert("x")</script> & Co')
    const page = await open(path)
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    expect(page.body).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; Co')
    expect(page.body).not.toMatch(/<script|src=|href=|url\(/)
    expect(page.body).toContain('value="GREEN"')
    expect(page.body).toContain('value="RED"')
  })

  test('303: Approve verifies the owner by a signed message', async () => {
    const { headers, path } = await openSession()
    const answer = await press(path, { answer: 'GREEN' })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe(path)
    expect(await kycStatusOf(headers)).toBe('VERIFIED')
    expect((await told(headers)).map(({ type }) => type)).toEqual(['KYC_STARTED', 'KYC_VERIFIED'])
    const page = await open(path)
    expect(page.body).toContain('Approved')
    expect(page.body).not.toContain('<form')
  })

  test('303: Reject passes on the reason, and another try can succeed', async () => {
    const { headers, path } = await openSession()
    await press(path, { answer: 'RED', reason: 'Too\u0000 dark.' })
    expect(await kycStatusOf(headers)).toBe('REJECTED')
    expect((await told(headers))[1]?.message).toContain('Too dark.')
    await register(headers, registration)
    clock.advance(1)
    await press(path, { answer: 'GREEN' })
    expect(await kycStatusOf(headers)).toBe('VERIFIED')
  })

  test('400 for another response, and nothing changes', async () => {
    const { headers, path } = await openSession()
    expect((await press(path, { answer: 'YELLOW' })).statusCode).toBe(400)
    const json = await http.inject({ method: 'POST', url: path, payload: { answer: 'GREEN' } })
    expect(json.statusCode).toBe(400)
    expect(await kycStatusOf(headers)).toBe('IN_REVIEW')
  })

  test('404 for a session that does not exist', async () => {
    expect((await open('/sandbox/kyc/nobody')).statusCode).toBe(404)
    expect((await press('/sandbox/kyc/nobody', { answer: 'GREEN' })).statusCode).toBe(404)
  })

  test('415: forms are read on this page only', async () => {
    const { bearer: headers } = await signIn(http)
    const answer = await http.inject({
      method: 'POST',
      url: '/api/sandbox/kyc',
      payload: 'status=VERIFIED',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(answer.statusCode).toBe(415)
  })
})
