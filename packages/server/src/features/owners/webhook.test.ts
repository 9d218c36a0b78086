import { AppError, formMediaTypes } from '@agent-marketplace/contract'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { KycMessage } from '../../ports/kyc/webhook.ts'
import { createTestOwners, registration } from './testing/test-owners.ts'

const api = await createTestOwners()
afterAll(() => api.close())

let ownerId: string
let applicantId: string
let headers: { authorization: string }
beforeEach(async () => {
  const owner = await api.signUp()
  ownerId = owner.ownerId
  headers = owner.headers
  applicantId = await register()
})

async function register(): Promise<string> {
  return (await api.register(headers)).json().data.kycSessionId
}

type Review = KycMessage['reviewResult']
const green: Review = { reviewAnswer: 'GREEN' }
const red: Review = { reviewAnswer: 'RED', reviewRejectType: 'FINAL', moderationComment: 'Too dark.' }
const retry: Review = { reviewAnswer: 'RED', reviewRejectType: 'RETRY' }

/** A message that the provider made this many seconds after noon. */
function message(seconds: number, reviewResult?: Review): KycMessage {
  const time = new Date(Date.UTC(2026, 10, 15, 12, 0, seconds)).toISOString()
  return {
    type: reviewResult ? 'applicantReviewed' : 'applicantPending',
    applicantId,
    externalUserId: ownerId,
    createdAtMs: time.replace('T', ' ').replace('Z', ''),
    ...(reviewResult ? { reviewResult } : {}),
  }
}

/** All that the feature keeps about the owner. */
async function stored() {
  const { kycStatus } = await api.db.one<{ kycStatus: string }>(
    sql`select kyc_status from owners where id = ${ownerId}`,
  )
  const session = await api.db.one(sql`select * from kyc_sessions where owner_id = ${ownerId}`)
  const events = await api.db.rows(
    sql`select * from kyc_events where owner_id = ${ownerId} order by event_id`,
  )
  return { kycStatus, session, events, told: await api.told(ownerId) }
}

describe('who is verified', () => {
  const verified = () =>
    api.db.one(sql`select kyc_status, entity_type, entity_name from owners where id = ${ownerId}`)
  const asCompany = { ...registration, entityType: 'COMPANY', entityName: 'Somebody Else Inc' }

  test('is not another name that was declared after the check began', async () => {
    await api.deliver(message(1, retry))
    const again = (await api.register(headers, asCompany)).json().data
    expect(again.kycSessionId).not.toBe(applicantId)
    // The word about the first applicant comes late, and vouches for nobody any more.
    expect((await api.deliver(message(2, green))).statusCode).toBe(200)
    expect(await verified()).toMatchObject({ kycStatus: 'IN_REVIEW' })
    const own = { ...message(3, green), applicantId: again.kycSessionId, externalUserId: `${ownerId}.2` }
    expect((await api.deliver(own)).statusCode).toBe(200)
    expect(await verified()).toEqual({
      kycStatus: 'VERIFIED',
      entityType: 'COMPANY',
      entityName: 'Somebody Else Inc',
    })
  })

  test('goes on with the same check when the same name tries again', async () => {
    await api.deliver(message(1, retry))
    expect(await register()).toBe(applicantId)
  })

  test('is who the provider found, and shows in the profile', async () => {
    const found = { entityType: 'INDIVIDUAL', entityName: 'Ada King' }
    api.provider.port = { ...api.sandboxKyc, identityOf: async () => found }
    await api.deliver(message(1, green))
    api.provider.port = api.sandboxKyc
    const me = await api.http.inject({ method: 'GET', url: '/api/owners/me', headers })
    expect(me.json().data).toMatchObject({ kycStatus: 'VERIFIED', ...found })
  })

  test('is not decided while the provider cannot be asked: the message is wanted again', async () => {
    const identityOf = () => Promise.reject(new AppError('UNAVAILABLE'))
    api.provider.port = { ...api.sandboxKyc, identityOf }
    expect((await api.deliver(message(1, green))).statusCode).toBe(503)
    expect(await verified()).toMatchObject({ kycStatus: 'IN_REVIEW' })
    api.provider.port = api.sandboxKyc
    expect((await api.deliver(message(1, green))).statusCode).toBe(200)
    expect(await verified()).toMatchObject({ kycStatus: 'VERIFIED' })
  })
})

describe('200', () => {
  test.each([
    [green, 'VERIFIED', 'KYC_VERIFIED'],
    [red, 'REJECTED', 'KYC_REJECTED'],
    [retry, 'PENDING', 'KYC_REJECTED'],
  ])('%o makes the owner %s and notifies them', async (result, status, type) => {
    const response = await api.deliver(message(1, result))
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ data: { received: true } })
    expect(await api.kycStatusOf(ownerId)).toBe(status)
    const [, told] = await api.told(ownerId)
    expect(told?.type).toBe(type)
    expect(told?.message.includes('Too dark.')).toBe(result === red)
  })

  test.each(Object.values(formMediaTypes))('the response has one form for Accept %s', async (accept) => {
    const response = await api.deliver(message(1, green), { accept })
    expect(response.json()).toEqual({ data: { received: true } })
  })

  test('ten copies at once change one thing', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => api.deliver(message(1, green))))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
    const { events, told, kycStatus } = await stored()
    expect(kycStatus).toBe('VERIFIED')
    expect(events).toHaveLength(1)
    expect(told).toHaveLength(2)
  })

  test('an older word never undoes a newer one', async () => {
    await api.deliver(message(10, green))
    await api.deliver(message(9, red))
    await api.deliver(message(8))
    expect(await api.kycStatusOf(ownerId)).toBe('VERIFIED')
    expect(await api.told(ownerId)).toHaveLength(2)
  })

  test('a newer word does', async () => {
    await api.deliver(message(10, green))
    await api.deliver(message(11, red))
    expect(await api.kycStatusOf(ownerId)).toBe('REJECTED')
  })

  test('an old rejection that comes late does not end the next try', async () => {
    await api.deliver(message(10, red))
    await register()
    await api.deliver(message(9, retry))
    await api.deliver(message(10, red))
    expect(await api.kycStatusOf(ownerId)).toBe('IN_REVIEW')
    await api.deliver(message(20, green))
    expect(await api.kycStatusOf(ownerId)).toBe('VERIFIED')
  })

  test('the last word stands in whatever order, and however often, the words arrive', async () => {
    const words: Review[] = [undefined, green, red, retry]
    const orders = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(...words)), {
      minLength: 1,
      maxLength: 6,
    })
    const check = async (made: [number, Review][]) => {
      const owner = await api.signUp()
      ownerId = owner.ownerId
      headers = owner.headers
      applicantId = await register()
      const carefulness: Review[] = [undefined, retry, green, red]
      const last = made.reduce((before, word) => {
        if (word[0] !== before[0]) return word[0] > before[0] ? word : before
        return carefulness.indexOf(word[1]) > carefulness.indexOf(before[1]) ? word : before
      })
      await Promise.all([...made, ...made].map(([seconds, result]) => api.deliver(message(seconds, result))))
      const expected = ['IN_REVIEW', 'PENDING', 'VERIFIED', 'REJECTED'][carefulness.indexOf(last[1])]
      expect(await api.kycStatusOf(ownerId)).toBe(expected)
    }
    await fc.assert(fc.asyncProperty(orders, check), { numRuns: 12 })
  })

  test.each([
    ['an unknown applicant', { applicantId: 'nobody' }],
    ['an unknown owner', { externalUserId: 'cnobody00000000000000000' }],
  ])('%s is ignored', async (_case, other) => {
    const before = await stored()
    const response = await api.deliver({ ...message(1, green), ...other })
    expect(response.statusCode).toBe(200)
    expect(await stored()).toEqual(before)
  })

  test('one owner’s applicant says nothing about another owner', async () => {
    const other = await api.signUp()
    await api.deliver({ ...message(1, green), externalUserId: other.ownerId })
    expect(await api.kycStatusOf(other.ownerId)).toBe('PENDING')
    expect(await api.kycStatusOf(ownerId)).toBe('IN_REVIEW')
  })

  test('messages without an outcome, and ones of another kind, change nothing', async () => {
    await api.deliver({ ...message(5), type: 'applicantTagsChanged' })
    await api.deliver({ ...message(6, green), testMode: true })
    expect(await api.kycStatusOf(ownerId)).toBe('IN_REVIEW')
    // Nor do they make the provider's next word look old.
    await api.deliver(message(4, green))
    expect(await api.kycStatusOf(ownerId)).toBe('VERIFIED')
  })

  test('a reason from outside is cleaned before it is kept', async () => {
    await api.deliver(message(1, { ...red, moderationComment: ' Dark\u202e\nphoto ' }))
    const { reason } = await api.db.one<{ reason: string }>(
      sql`select reason from kyc_events where owner_id = ${ownerId}`,
    )
    expect(reason).toBe('Dark photo')
  })
})

test('401 for an unsigned body, also one that is no JSON', async () => {
  const response = await api.http.inject({
    method: 'POST',
    url: '/api/webhooks/kyc',
    payload: '{',
    headers: { 'content-type': 'application/json' },
  })
  expect(response.statusCode).toBe(401)
})

describe('401, and nothing changes', () => {
  test('a forged digest', async () => {
    const before = await stored()
    const response = await api.deliver(message(1, green), { secret: 'guess' })
    expect(response.statusCode).toBe(401)
    expect(response.json().error.code).toBe('UNAUTHORIZED')
    expect(await stored()).toEqual(before)
  })

  test('no digest, and no body', async () => {
    const url = '/api/webhooks/kyc'
    const bare = await api.http.inject({ method: 'POST', url, payload: { ...message(1, green) } })
    expect(bare.statusCode).toBe(401)
    expect((await api.http.inject({ method: 'POST', url })).statusCode).toBe(401)
  })

  test('a session of the owner’s own is no signature', async () => {
    const response = await api.http.inject({
      method: 'POST',
      url: '/api/webhooks/kyc',
      headers,
      payload: { ...message(1, green) },
    })
    expect(response.statusCode).toBe(401)
    expect(await api.kycStatusOf(ownerId)).toBe('IN_REVIEW')
  })
})

test('a failure in the middle leaves nothing, and the resent message works', async () => {
  const before = await stored()
  await api.db.run(sql`alter table notifications rename to hidden`)
  expect((await api.deliver(message(1, green))).statusCode).toBe(500)
  await api.db.run(sql`alter table hidden rename to notifications`)
  expect(await stored()).toEqual(before)
  expect((await api.deliver(message(1, green))).statusCode).toBe(200)
  expect(await api.kycStatusOf(ownerId)).toBe('VERIFIED')
})

describe('a signed-in owner is judged by the new status at once', () => {
  /** Sessions are cached with what their owner may do: this has been asked before each change. */
  const refusal = async () => {
    const response = await api.http.inject({ method: 'POST', url: '/api/agents', headers, payload: {} })
    return response.json().error.code
  }

  test('when a change of it commits, and only then', async () => {
    expect(await refusal()).toBe('KYC_REQUIRED')
    await api.db.run(sql`alter table notifications rename to hidden`)
    const abandoned = await api.setKyc(headers, { status: 'VERIFIED', feePaid: true })
    await api.db.run(sql`alter table hidden rename to notifications`)
    expect(abandoned.statusCode).toBe(500)
    expect(await refusal()).toBe('KYC_REQUIRED')
    await api.setKyc(headers, { status: 'VERIFIED' })
    expect(await refusal()).toBe('KYC_REQUIRED')
    await api.setKyc(headers, { feePaid: true })
    expect(await refusal()).toBe('VALIDATION_ERROR')
    await api.setKyc(headers, { status: 'REJECTED' })
    expect(await refusal()).toBe('KYC_REQUIRED')
  })

  test('when the provider decides; a message that it repeats is only logged', async () => {
    await api.setKyc(headers, { feePaid: true })
    expect(await refusal()).toBe('KYC_REQUIRED')
    const before = api.loggedMessages().length
    await api.deliver(message(1, green))
    expect(await refusal()).toBe('VALIDATION_ERROR')
    await api.deliver(message(1, green))
    expect(await refusal()).toBe('VALIDATION_ERROR')
    const verdicts = api.loggedMessages().slice(before)
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['applied', 'repeated'])
  })
})

test('a message about nobody is logged, without anything personal', async () => {
  await api.deliver({ ...message(1, green), applicantId: 'applicant', externalUserId: 'cnobody' })
  expect(api.loggedMessages().at(-1)).toEqual({
    level: 40,
    time: expect.any(Number),
    eventId: expect.any(String),
    sessionId: 'applicant',
    outcome: 'VERIFIED',
    verdict: 'unknown applicant',
    msg: 'kyc message',
  })
})
