import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createTestClock } from '../../testing/test-clock.ts'
import { forgedTokens } from '../auth/testing/forged-tokens.ts'
import { createTokens } from './tokens.ts'

const secret = 'a secret of this test, long enough for the algorithm'
const start = new Date('2026-11-15T12:00:00.000Z')
const expiresAt = new Date('2026-11-16T12:00:00.000Z')
const claims = { sessionId: 'session-1', ownerId: 'owner-1', issuedAt: start, expiresAt }

function newTokens() {
  const clock = createTestClock(start)
  return { clock, tokens: createTokens({ secret, clock }) }
}

test('a token carries its session and its end, and no other string does', async () => {
  const { tokens } = newTokens()
  const token = await tokens.sign(claims)
  expect(await tokens.verify(token)).toEqual({ sessionId: 'session-1', expiresAt })
  expect(await tokens.verify(token), 'remembered').toEqual({ sessionId: 'session-1', expiresAt })
  expect(await tokens.verify('')).toBeUndefined()
  expect(
    await createTokens({ secret: `${secret}!`, clock: createTestClock(start) }).verify(token),
  ).toBeUndefined()
})

test('a token ends with its session, remembered or not', async () => {
  const { clock, tokens } = newTokens()
  const token = await tokens.sign(claims)
  clock.advance(24 * 3600 - 1)
  expect(await tokens.verify(token)).toBeDefined()
  clock.advance(1)
  expect(await tokens.verify(token), 'remembered').toBeUndefined()
  expect(await createTokens({ secret, clock }).verify(token), 'seen for the first time').toBeUndefined()
})

test('the claims are the documented ones', async () => {
  const { tokens } = newTokens()
  const [head = '', payload = ''] = (await tokens.sign(claims)).split('.')
  const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  expect(decoded(head)).toEqual({ alg: 'HS256' })
  const { iss, sub, jti, iat, exp } = decoded(payload)
  expect({ iss, sub, jti, iat, exp }).toEqual({
    ...{ iss: 'agent-marketplace', sub: 'owner-1', jti: 'session-1' },
    ...{ iat: start.getTime() / 1000, exp: expiresAt.getTime() / 1000 },
  })
})

test('a forged token stands for no session of ours', async () => {
  const { tokens } = newTokens()
  const token = await tokens.sign(claims)
  const forged = await forgedTokens({ ownerId: 'owner-1', token, secret, round: 3 })
  // One of them is signed with our key and names a session that does not exist: the sessions refuse it.
  const verified = await Promise.all(forged.map((one) => tokens.verify(one)))
  expect(verified.filter((one) => one !== undefined)).toEqual([
    expect.objectContaining({ sessionId: 'x'.repeat(32) }),
  ])
})

test('a token without an owner is refused', async () => {
  const { tokens } = newTokens()
  const unowned = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('agent-marketplace')
    .setJti('session-1')
    .setExpirationTime(expiresAt)
    .sign(new TextEncoder().encode(secret))
  expect(await tokens.verify(unowned)).toBeUndefined()
})
