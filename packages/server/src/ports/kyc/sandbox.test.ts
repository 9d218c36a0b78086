import { expect, test } from 'vitest'
import { createTestClock } from '../../testing/test-clock.ts'
import { createSandboxKyc } from './sandbox.ts'

const clock = createTestClock()
const kyc = createSandboxKyc({ publicUrl: new URL('https://market.example'), webhookSecret: 'secret', clock })

test('the session points at the page of the sandbox', async () => {
  const { sessionId, url } = await kyc.startSession({
    ownerId: 'owner-1',
    check: 1,
    entityType: 'INDIVIDUAL',
    entityName: 'Ada',
    email: 'ada@example.com',
    phoneNumber: undefined,
  })
  expect(sessionId).toMatch(/^[0-9a-f]{24}$/)
  expect(url).toBe(`https://market.example/sandbox/kyc/${sessionId}`)
})

test.each([
  ['GREEN', undefined, 'VERIFIED'],
  ['RED', 'Too dark.', 'REJECTED'],
  ['RED', undefined, 'REJECTED'],
] as const)('a decision of %s becomes a message that the port reads', (answer, reason, outcome) => {
  const message = kyc.messageOf({ sessionId: 'applicant-1', ownerId: 'owner-1', answer, reason })
  const event = { sessionId: 'applicant-1', ownerId: 'owner-1', outcome, reason, createdAt: clock.now() }
  expect(kyc.readWebhook(message)).toMatchObject(event)
})

test('another installation’s messages are forged here', () => {
  const other = createSandboxKyc({ publicUrl: new URL('https://m.example'), webhookSecret: 'other', clock })
  const decision = { sessionId: 'a', ownerId: 'o', answer: 'GREEN', reason: undefined } as const
  expect(kyc.readWebhook(other.messageOf(decision))).toBe('forged')
})
