import { inspect } from 'node:util'
import { AppError } from '@agent-marketplace/contract'
import { afterEach, expect, test } from 'vitest'
import { createTestClock } from '../../testing/test-clock.ts'
import type { KycApplicant } from './port.ts'
import { createSumsubKyc, type SumsubKycOptions } from './sumsub.ts'
import { type SumsubFault, type SumsubStub, startSumsubStub } from './testing/sumsub-stub.ts'

const clock = createTestClock()
const credentials = { appToken: 'sbx:app-token', secretKey: 'request-secret', levelName: 'Basic KYC/1' }
const secrets = [credentials.appToken, credentials.secretKey, 'webhook-secret', 'ada@example.com', '+44']
const ada: KycApplicant = {
  ownerId: 'cowner/1',
  check: 1,
  entityType: 'individual',
  entityName: 'Ada',
  email: 'ada@example.com',
  phoneNumber: '+44 20 7946 0000',
}

let stub: SumsubStub
const started: SumsubStub[] = []
afterEach(async () => {
  for (const each of started.splice(0)) await each.close()
})

async function start(overrides: Partial<SumsubKycOptions> = {}) {
  stub = await startSumsubStub({ ...credentials, clock })
  started.push(stub)
  return createSumsubKyc({
    url: stub.url,
    ...credentials,
    webhookSecret: 'webhook-secret',
    clock,
    ...overrides,
  })
}

async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${inspect(error)}`)
  return error
}

test('creates the applicant under the owner’s id, then its link', async () => {
  const kyc = await start()
  const session = await kyc.startSession(ada)
  expect(session.sessionId).toBe(stub.applicants.get('cowner/1'))
  expect(session.url).toContain(session.sessionId)
  expect(stub.requests).toEqual([
    {
      method: 'POST',
      path: '/resources/applicants?levelName=Basic%20KYC%2F1',
      body: {
        externalUserId: 'cowner/1',
        type: 'individual',
        email: 'ada@example.com',
        phone: '+44 20 7946 0000',
      },
    },
    {
      method: 'POST',
      path: '/resources/sdkIntegrations/levels/-/websdkLink',
      body: { levelName: 'Basic KYC/1', userId: 'cowner/1', ttlInSecs: 86_400 },
    },
  ])
})

test('an applicant that exists is looked up', async () => {
  const kyc = await start()
  const first = await kyc.startSession(ada)
  const second = await kyc.startSession(ada)
  expect(second.sessionId).toBe(first.sessionId)
  expect(stub.requests[3]).toMatchObject({
    method: 'GET',
    path: '/resources/applicants/-;externalUserId=cowner%2F1/one',
  })
})

test('a company is verified as one, by its name', async () => {
  const kyc = await start()
  await kyc.startSession({ ...ada, entityType: 'LLC', entityName: 'Engines', phoneNumber: undefined })
  expect(stub.requests[0]?.body).toEqual({
    externalUserId: 'cowner/1',
    type: 'company',
    email: 'ada@example.com',
    fixedInfo: { companyInfo: { companyName: 'Engines' } },
  })
})

test('who was verified is what the check found, not what was declared', async () => {
  const kyc = await start()
  const declared = { entityType: 'COMPANY', entityName: 'Engines' }
  const { sessionId } = await kyc.startSession(ada)
  const found = (identity: object) => {
    stub.identities.set(sessionId, identity)
    return kyc.identityOf(sessionId, declared)
  }
  const person = { firstName: 'Augusta', middleName: null, lastName: 'King' }
  expect(await found({ type: 'individual', info: person })).toEqual({
    entityType: 'INDIVIDUAL',
    entityName: 'Augusta King',
  })
  expect(await found({ type: 'company', info: { companyInfo: { companyName: 'Engines Ltd' } } })).toEqual({
    entityType: 'COMPANY',
    entityName: 'Engines Ltd',
  })
  const fixedInfo = { companyInfo: { companyName: 'Engines' } }
  expect((await failureOf(found({ type: 'company', fixedInfo }))).code).toBe('UNAVAILABLE')
})

test('another check of an owner is another applicant', async () => {
  const kyc = await start()
  const first = await kyc.startSession(ada)
  const second = await kyc.startSession({ ...ada, check: 2 })
  expect(second.sessionId).not.toBe(first.sessionId)
  expect([...stub.applicants.keys()]).toEqual(['cowner/1', 'cowner/1.2'])
})

const faults: [string, string, SumsubFault][] = [
  ['the provider fails', '/resources', { status: 500, body: '{}' }],
  ['the provider is throttling', '/resources', { status: 429, body: '{}' }],
  ['the lookup finds nothing', '/one', { status: 404, body: '{}' }],
  ['the link is refused', 'websdkLink', { status: 400, body: '{}' }],
  ['the response is no JSON', '/resources', { status: 200, body: '<html>' }],
  ['the applicant has no id', '/resources', { status: 201, body: '{"id":7}' }],
  ['the link is no address', 'websdkLink', { status: 200, body: '{"url":"javascript:alert(1)"}' }],
  ['it redirects elsewhere', '/resources', { status: 302, body: '', location: 'http://127.0.0.1:9/' }],
  ['it stays silent', '/resources', 'silence'],
]
test.each(faults)('UNAVAILABLE when %s, without a secret in the error', async (_case, path, fault) => {
  // Only silence is waited out; a busy machine must not look like it.
  const kyc = await start({ timeoutMs: fault === 'silence' ? 1_000 : 10_000 })
  await kyc.startSession(ada)
  stub.breakAt(path, fault)
  const error = await failureOf(kyc.startSession(ada))
  expect(error.code).toBe('UNAVAILABLE')
  const everything = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true })
  for (const secret of secrets) expect(everything).not.toContain(secret)
})

test('UNAVAILABLE when nobody listens there', async () => {
  const kyc = await start()
  await stub.close()
  const error = await failureOf(kyc.startSession(ada))
  expect(error.code).toBe('UNAVAILABLE')
})

test('a wrong secret, a wrong token and a wrong clock are refused by the provider', async () => {
  const wrongClock = createTestClock(new Date('2026-11-15T12:02:00.000Z'))
  for (const wrong of [{ secretKey: 'other' }, { appToken: 'other' }, { clock: wrongClock }]) {
    const kyc = await start(wrong)
    expect((await failureOf(kyc.startSession(ada))).code).toBe('UNAVAILABLE')
    expect(stub.requests).toEqual([])
  }
})
