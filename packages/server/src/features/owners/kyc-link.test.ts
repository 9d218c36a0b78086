import { afterAll, expect, test } from 'vitest'
import { addSeconds } from '../../platform/clock/clock.ts'
import { createLog } from '../../platform/log/log.ts'
import { createSandboxKyc } from '../../ports/kyc/sandbox.ts'
import { createTestClock } from '../../testing/test-clock.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { createKycLinks } from './kyc-link.ts'

const { db, close } = await createTestDatabase()
afterAll(close)

const clock = createTestClock()
const { log } = createLog({ level: 'silent' })

test('a request while a new address is being created waits for that one', async () => {
  const sandbox = createSandboxKyc({ publicUrl: new URL('http://localhost'), webhookSecret: 'secret', clock })
  const asked: string[] = []
  const kycLinkOf = createKycLinks({
    db,
    clock,
    log,
    kyc: {
      ...sandbox,
      renewLink(check) {
        asked.push(check.ownerId)
        return sandbox.renewLink(check)
      },
    },
  })
  const session = {
    ownerId: 'owner',
    sessionId: 'session',
    checkNumber: 1,
    entityType: 'INDIVIDUAL',
    entityName: 'Ada',
    url: 'http://localhost/old',
    urlExpiresAt: clock.now(),
    lastEventAt: null,
    lastOutcome: null,
  }
  const [first, second] = await Promise.all([kycLinkOf(session), kycLinkOf(session)])
  expect(first).toContain('/sandbox/kyc/')
  expect(second).toBe(first)
  expect(asked).toEqual(['owner'])
  const live = { ...session, urlExpiresAt: addSeconds(clock.now(), 1) }
  expect(await kycLinkOf(live)).toBe('http://localhost/old')
  expect(asked).toHaveLength(1)
})
