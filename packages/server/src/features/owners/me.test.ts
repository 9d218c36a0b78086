import { formMediaTypes } from '@agent-marketplace/contract'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { createSumsubKyc } from '../../ports/kyc/sumsub.ts'
import { startSumsubStub } from '../../ports/kyc/testing/sumsub-stub.ts'
import { newWallet } from '../../testing/sign-in.ts'
import { createTestOwners } from './testing/test-owners.ts'

const api = await createTestOwners()
afterAll(() => api.close())
afterEach(() => {
  api.provider.port = api.sandboxKyc
  api.provider.renewals = 0
})

function getMe(headers: Record<string, string>) {
  return api.http.inject({ method: 'GET', url: '/api/owners/me', headers })
}

describe('200', () => {
  test('a plain request gets both forms', async () => {
    const { ownerId, walletAddress, headers } = await api.signUp()
    const response = await getMe(headers)
    expect(response.statusCode).toBe(200)
    const owner = {
      id: ownerId,
      walletAddress,
      email: null,
      kycStatus: 'PENDING',
      kycFeePaid: false,
      isAdmin: false,
      accountStatus: 'ACTIVE',
      createdAt: api.clock.now().toISOString(),
      kycUrl: null,
      kycRejectionReason: null,
    }
    const profile = {
      ...owner,
      entityType: '',
      entityName: '',
      agentCount: 0,
      totalEarned: '0',
      availableBalance: '0',
      agents: [],
    }
    expect(response.json()).toEqual({ owner, data: profile })
    const formA = await getMe({ ...headers, accept: formMediaTypes.a })
    expect(formA.json()).toEqual({ owner })
    expect(formA.headers['content-type']).toContain(formMediaTypes.a)
    const formB = await getMe({ ...headers, accept: formMediaTypes.b })
    expect(formB.json()).toEqual({ data: profile })
    expect(formB.headers['content-type']).toContain(formMediaTypes.b)
  })

  test('what was registered shows', async () => {
    const { headers } = await api.signUp()
    await api.register(headers)
    expect((await getMe(headers)).json().data).toMatchObject({
      entityType: 'COMPANY',
      entityName: 'Analytical Engines Ltd',
      email: 'ada@example.com',
      kycStatus: 'IN_REVIEW',
    })
  })

  test('the suspended may read', async () => {
    const { ownerId, headers } = await api.signUp()
    await api.setAccountStatus(ownerId, 'SUSPENDED')
    expect((await getMe(headers)).statusCode).toBe(200)
  })
})

describe('the verification’s address', () => {
  async function inReview() {
    const owner = await api.signUp()
    const { kycUrl, kycSessionId } = (await api.register(owner.headers)).json().data
    return { ...owner, kycUrl, kycSessionId }
  }

  const letExpire = (ownerId: string) =>
    api.db.run(sql`update kyc_sessions set url_expires_at = ${api.clock.now()} where owner_id = ${ownerId}`)

  test('is there in both forms while in review, without asking the provider', async () => {
    const { headers, kycUrl } = await inReview()
    expect((await getMe({ ...headers, accept: formMediaTypes.a })).json().owner.kycUrl).toBe(kycUrl)
    expect((await getMe({ ...headers, accept: formMediaTypes.b })).json().data.kycUrl).toBe(kycUrl)
    expect(api.provider.renewals).toBe(0)
  })

  test('is not there for a program: it is for the person alone', async () => {
    const { headers } = await inReview()
    const made = await api.http.inject({
      method: 'POST',
      url: '/api/api-keys',
      headers,
      payload: { name: 'Program', scopes: ['read'] },
    })
    const asKey = { authorization: `Bearer ${made.json().data.key}` }
    expect((await getMe(asKey)).json().data).toMatchObject({ kycStatus: 'IN_REVIEW', kycUrl: null })
  })

  test.each(['VERIFIED', 'REJECTED', 'PENDING'] as const)('is not there when %s', async (status) => {
    const { headers } = await inReview()
    await api.setKyc(headers, { status })
    expect((await getMe(headers)).json().data).toMatchObject({ kycUrl: null, kycRejectionReason: null })
  })

  test('is renewed once it has run out, and then kept', async () => {
    const credentials = { appToken: 'token', secretKey: 'secret', levelName: 'level', clock: api.clock }
    const stub = await startSumsubStub(credentials)
    try {
      api.provider.port = createSumsubKyc({ ...credentials, url: stub.url, webhookSecret: 'webhook' })
      const { ownerId, headers, kycUrl } = await inReview()
      await letExpire(ownerId)
      const renewed = (await getMe(headers)).json().data.kycUrl
      expect(renewed).toMatch(/^https:/)
      expect(renewed).not.toBe(kycUrl)
      expect((await getMe(headers)).json().data.kycUrl).toBe(renewed)
      expect((await api.register(headers)).json().data.kycUrl).toBe(renewed)
      expect(api.provider.renewals).toBe(1)
    } finally {
      await stub.close()
    }
  })

  test('is requested once at a time, however many requests wait for it', async () => {
    const { ownerId, headers, kycUrl } = await inReview()
    await letExpire(ownerId)
    let running = 0
    let most = 0
    api.provider.port = {
      ...api.sandboxKyc,
      async renewLink(check) {
        running += 1
        most = Math.max(most, running)
        await api.db.one(sql`select 1 as one`)
        running -= 1
        return api.sandboxKyc.renewLink(check)
      },
    }
    const responses = await Promise.all(Array.from({ length: 20 }, () => getMe(headers)))
    expect(responses.map((response) => response.json().data.kycUrl)).toEqual(Array(20).fill(kycUrl))
    expect(most).toBe(1)
  })

  test('is left out when it has run out and the provider does not respond', async () => {
    const { ownerId, headers } = await inReview()
    await letExpire(ownerId)
    api.provider.port = {
      ...api.sandboxKyc,
      renewLink: () => Promise.reject(new Error('nobody listens')),
    }
    const response = await getMe(headers)
    expect([response.statusCode, response.json().data.kycUrl]).toEqual([200, null])
  })
})

describe('the reason of a rejection', () => {
  const reject = async (comment: string | null, reviewRejectType = 'FINAL') => {
    const { ownerId, headers } = await api.signUp()
    const applicantId = (await api.register(headers)).json().data.kycSessionId
    await api.deliver({
      type: 'applicantReviewed',
      applicantId,
      externalUserId: ownerId,
      createdAtMs: '2026-11-15 12:00:01.000',
      reviewResult: { reviewAnswer: 'RED', reviewRejectType, moderationComment: comment },
    })
    return headers
  }

  test.each([
    ['FINAL', 'REJECTED'],
    ['RETRY', 'PENDING'],
  ])('%s is returned in both forms while the status is %s, until the next try', async (kind, status) => {
    const headers = await reject('The photo is too dark.', kind)
    const told = { kycStatus: status, kycRejectionReason: 'The photo is too dark.', kycUrl: null }
    expect((await getMe({ ...headers, accept: formMediaTypes.a })).json().owner).toMatchObject(told)
    expect((await getMe({ ...headers, accept: formMediaTypes.b })).json().data).toMatchObject(told)
    await api.register(headers)
    expect((await getMe(headers)).json().data).toMatchObject({
      kycRejectionReason: null,
      kycUrl: expect.stringContaining('/sandbox/kyc/'),
    })
  })

  test('is null when the provider gives none', async () => {
    const headers = await reject(null)
    expect((await getMe(headers)).json().data).toMatchObject({
      kycStatus: 'REJECTED',
      kycRejectionReason: null,
    })
  })
})

test('a wallet is one owner, in any letter case and when it signs in twenty times at once', async () => {
  const wallet = newWallet()
  const digits = wallet.address.slice(2)
  const send = (url: string, payload: object) => api.http.inject({ method: 'POST', url, payload })
  const signInAs = async (walletAddress: string) => {
    const { nonce, message } = (await send('/api/auth/request-nonce', { walletAddress })).json().data
    const signature = await wallet.signMessage({ message })
    return (await send('/api/auth/verify-signature', { walletAddress, nonce, signature })).json().data
  }
  const spellings = Array.from({ length: 20 }, (_, index) =>
    index % 2 ? digits.toLowerCase() : digits.toUpperCase(),
  )
  const sessions = await Promise.all(spellings.map((spelling) => signInAs(`0x${spelling}`)))
  expect(new Set(sessions.map(({ owner }) => owner.id)).size).toBe(1)
  const { data } = (await getMe({ authorization: `Bearer ${sessions[0].token}` })).json()
  expect(data).toMatchObject({ entityName: '', kycStatus: 'PENDING', isAdmin: false })
})

test('401 without a credential', async () => {
  const response = await getMe({})
  expect(response.statusCode).toBe(401)
  expect(response.json().error.code).toBe('UNAUTHORIZED')
})

test('403 for a deactivated account', async () => {
  const { ownerId, headers } = await api.signUp()
  await api.setAccountStatus(ownerId, 'DEACTIVATED')
  expect((await getMe(headers)).statusCode).toBe(403)
})
