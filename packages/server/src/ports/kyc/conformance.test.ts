import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestClock } from '../../testing/test-clock.ts'
import type { KycApplicant, KycPort, KycWebhook } from './port.ts'
import { createSandboxKyc } from './sandbox.ts'
import { createSumsubKyc } from './sumsub.ts'
import { startSumsubStub } from './testing/sumsub-stub.ts'

const webhookSecret = 'the-webhook-secret'
const clock = createTestClock()
const stub = await startSumsubStub({
  appToken: 'sbx:token',
  secretKey: 'request-secret',
  levelName: 'Basic KYC & more',
  clock,
})
afterAll(() => stub.close())

describeKycPort(
  'sandbox',
  createSandboxKyc({ publicUrl: new URL('http://localhost:4000'), webhookSecret, clock }),
)
describeKycPort(
  'sumsub',
  createSumsubKyc({
    url: stub.url,
    appToken: 'sbx:token',
    secretKey: 'request-secret',
    levelName: 'Basic KYC & more',
    webhookSecret,
    clock,
  }),
)

function applicant(ownerId: string): KycApplicant {
  return {
    ownerId,
    check: 1,
    entityType: 'COMPANY',
    entityName: 'Engines',
    email: 'a@b.c',
    phoneNumber: undefined,
  }
}

const reviewed = {
  type: 'applicantReviewed',
  applicantId: 'applicant-1',
  externalUserId: 'owner-1',
  createdAtMs: '2026-11-15 12:00:00.123',
  reviewResult: { reviewAnswer: 'GREEN' },
}

/** Signs like the provider, with none of the adapters' own code. */
function signed(body: unknown, { secret = webhookSecret, hash = 'sha256', algorithm = '' } = {}): KycWebhook {
  const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const digest = createHmac(hash, secret).update(rawBody).digest('hex')
  const named = algorithm ? { 'x-payload-digest-alg': algorithm } : {}
  return { rawBody, headers: { 'x-payload-digest': digest, ...named } }
}

/** What every provider must do, whichever it is. */
function describeKycPort(name: string, port: KycPort): void {
  describe(`kyc port: ${name}`, () => {
    test('an owner is one applicant, however often and at once a session is requested', async () => {
      const sessions = await Promise.all(
        Array.from({ length: 20 }, () => port.startSession(applicant('owner-1'))),
      )
      expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(1)
      const other = await port.startSession(applicant('owner-2'))
      expect(other.sessionId).not.toBe(sessions[0]?.sessionId)
    })

    test('a session has an address that works for a while', async () => {
      const { url, urlExpiresAt } = await port.startSession(applicant('owner-1'))
      expect(new URL(url).protocol).toMatch(/^https?:$/)
      expect(urlExpiresAt.getTime()).toBeGreaterThan(clock.now().getTime() + 3600_000)
    })

    test('an applicant gets another address, which works for a while too', async () => {
      await port.startSession(applicant('owner-1'))
      const { url, urlExpiresAt } = await port.renewLink({ ownerId: 'owner-1', check: 1 })
      expect(new URL(url).protocol).toMatch(/^https?:$/)
      expect(urlExpiresAt.getTime()).toBeGreaterThan(clock.now().getTime() + 3600_000)
    })

    test('a decision is read with its applicant, owner and time', () => {
      expect(port.readWebhook(signed(reviewed))).toEqual({
        eventId: expect.stringMatching(/^[\w-]{43}$/),
        sessionId: 'applicant-1',
        ownerId: 'owner-1',
        outcome: 'VERIFIED',
        createdAt: new Date('2026-11-15T12:00:00.123Z'),
        reason: undefined,
      })
    })

    test.each([
      ['applicantCreated', undefined, undefined],
      ['applicantPending', undefined, 'IN_REVIEW'],
      ['applicantOnHold', undefined, 'IN_REVIEW'],
      ['applicantReset', undefined, 'IN_REVIEW'],
      ['applicantReviewed', { reviewAnswer: 'GREEN' }, 'VERIFIED'],
      ['applicantReviewed', { reviewAnswer: 'RED', reviewRejectType: 'FINAL' }, 'REJECTED'],
      ['applicantReviewed', { reviewAnswer: 'RED', reviewRejectType: 'RETRY' }, 'RETRY'],
      ['applicantReviewed', { reviewAnswer: 'RED' }, 'REJECTED'],
      ['applicantReviewed', { reviewAnswer: 'YELLOW' }, undefined],
      ['applicantReviewed', undefined, undefined],
      ['applicantTagsChanged', { reviewAnswer: 'GREEN' }, undefined],
    ])('%s with %o means %s', (type, reviewResult, outcome) => {
      expect(port.readWebhook(signed({ ...reviewed, type, reviewResult }))).toMatchObject({ outcome })
    })

    test('a rejection carries what the applicant should read', () => {
      const reviewResult = { reviewAnswer: 'RED', moderationComment: 'Too dark.', clientComment: 'secret' }
      expect(port.readWebhook(signed({ ...reviewed, reviewResult }))).toMatchObject({ reason: 'Too dark.' })
    })

    test('a test message changes nothing', () => {
      expect(port.readWebhook(signed({ ...reviewed, testMode: true }))).toMatchObject({ outcome: undefined })
    })

    test('the event id is the same for the same message only', () => {
      const idOf = (body: object) => {
        const event = port.readWebhook(signed(body))
        return typeof event === 'string' ? event : event.eventId
      }
      expect(idOf({ ...reviewed, correlationId: 'again' })).toBe(idOf(reviewed))
      const others = [
        { ...reviewed, type: 'applicantPending' },
        { ...reviewed, applicantId: 'applicant-2' },
        { ...reviewed, createdAtMs: '2026-11-15 12:00:00.124' },
        { ...reviewed, reviewResult: { reviewAnswer: 'RED' } },
        { ...reviewed, reviewResult: { reviewAnswer: 'RED', reviewRejectType: 'RETRY' } },
      ]
      expect(new Set([reviewed, ...others].map(idOf)).size).toBe(6)
    })

    test.each(['HMAC_SHA256_HEX', ''])('the digest algorithm %o is taken', (algorithm) => {
      expect(port.readWebhook(signed(reviewed, { algorithm }))).toMatchObject({ outcome: 'VERIFIED' })
    })

    test.each([
      ['no digest', { ...signed(reviewed), headers: {} }],
      ['an empty digest', { ...signed(reviewed), headers: { 'x-payload-digest': '' } }],
      ['a digest under another secret', signed(reviewed, { secret: 'guess' })],
      [
        'a digest of another body',
        { ...signed({ ...reviewed, type: 'x' }), rawBody: signed(reviewed).rawBody },
      ],
      ['one more byte', { ...signed(reviewed), rawBody: Buffer.from(`${JSON.stringify(reviewed)} `) }],
      ['SHA-1, named', signed(reviewed, { hash: 'sha1', algorithm: 'HMAC_SHA1_HEX' })],
      ['SHA-512, named', signed(reviewed, { hash: 'sha512', algorithm: 'HMAC_SHA512_HEX' })],
      ['SHA-1 under the name of SHA-256', signed(reviewed, { hash: 'sha1', algorithm: 'HMAC_SHA256_HEX' })],
      ['a right digest under another name', signed(reviewed, { algorithm: 'HMAC_SHA1_HEX' })],
    ])('forged: %s', (_case, webhook) => {
      expect(port.readWebhook(webhook)).toBe('forged')
    })

    test.each([
      ['no JSON', 'hello'],
      ['a list', []],
      ['no applicant', { ...reviewed, applicantId: undefined }],
      ['no owner', { ...reviewed, externalUserId: null }],
      ['no time', { ...reviewed, createdAtMs: 1_763_208_000_000 }],
      ['an impossible time', { ...reviewed, createdAtMs: '2026-13-45 12:00:00.000' }],
    ])('signed but unrelated: %s', (_case, body) => {
      expect(port.readWebhook(signed(body))).toBe('unrelated')
    })
  })
}
