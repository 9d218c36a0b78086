import { formMediaTypes } from '@agent-marketplace/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestOwners } from './testing/test-owners.ts'

const api = await createTestOwners()
afterAll(() => api.close())

function getMe(headers: Record<string, string>) {
  return api.http.inject({ method: 'GET', url: '/api/owners/me', headers })
}

describe('200', () => {
  test('a plain request gets both forms', async () => {
    const { ownerId, walletAddress, headers } = await api.signUp()
    const answer = await getMe(headers)
    expect(answer.statusCode).toBe(200)
    const owner = {
      id: ownerId,
      walletAddress,
      email: null,
      kycStatus: 'PENDING',
      kycFeePaid: false,
      isAdmin: false,
      accountStatus: 'ACTIVE',
      createdAt: api.clock.now().toISOString(),
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
    expect(answer.json()).toEqual({ owner, data: profile })
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

test('401 without a credential', async () => {
  const answer = await getMe({})
  expect(answer.statusCode).toBe(401)
  expect(answer.json().error.code).toBe('UNAUTHORIZED')
})

test('403 for a deactivated account', async () => {
  const { ownerId, headers } = await api.signUp()
  await api.setAccountStatus(ownerId, 'DEACTIVATED')
  expect((await getMe(headers)).statusCode).toBe(403)
})
