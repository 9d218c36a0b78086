import type { Endpoint } from '@agent-marketplace/contract'
import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import {
  checkAccess,
  checkCsrf,
  checkKey,
  csrfTokenOf,
  hasScope,
  maySeeOwn,
  neededScopes,
  notSignedIn,
} from './access.ts'
import type { Principal } from './principal.ts'

const owner: Principal = {
  ownerId: 'owner',
  sessionId: 'session',
  expiresAt: new Date('2026-11-16T12:00:00Z'),
  csrfToken: csrfTokenOf('session', 'key'),
  kycStatus: 'VERIFIED',
  kycFeePaid: true,
  isAdmin: false,
  accountStatus: 'ACTIVE',
}
const call = (given: Partial<Endpoint> = {}) => ({ method: 'POST', access: 'owner', ...given }) as Endpoint
const forbidden = (message: string, details: object = {}) =>
  expect.objectContaining({ code: 'FORBIDDEN', message: expect.stringContaining(message), details })

describe('the token against cross-site requests', () => {
  const cookie = { token: 't', kind: 'cookie' } as const
  const check = (method: string, given: string | undefined, kind: 'cookie' | 'bearer' = 'cookie') =>
    checkCsrf(
      { method, headers: { 'x-csrf-token': given } } as unknown as FastifyRequest,
      { ...cookie, kind },
      owner,
    )

  test('follows from the session and the key', () => {
    expect(csrfTokenOf('session', 'key')).toBe('ounOYNKpacmidEIFxRF386lZxc0_VTS2_fAl0UJP2Ws')
    expect(csrfTokenOf('other', 'key')).not.toBe(csrfTokenOf('session', 'key'))
    expect(csrfTokenOf('session', 'other')).not.toBe(csrfTokenOf('session', 'key'))
  })

  test('is asked of cookies that change something', () => {
    expect(() => check('POST', owner.csrfToken)).not.toThrow()
    for (const wrong of [undefined, '', 'x', `${owner.csrfToken}x`, `x${owner.csrfToken.slice(1)}`])
      expect(() => check('POST', wrong), wrong).toThrow(forbidden('X-CSRF-Token'))
    expect(() => check('DELETE', undefined)).toThrow(forbidden('X-CSRF-Token'))
  })

  test('is not asked of reads, nor of programs', () => {
    expect(() => check('GET', undefined)).not.toThrow()
    expect(() => check('HEAD', undefined)).not.toThrow()
    expect(() => check('POST', undefined, 'bearer')).not.toThrow()
  })
})

describe('callers without a session', () => {
  test('get a message that says whether theirs has ended, and what works without an account', () => {
    const gone = { token: 't', kind: 'bearer' } as const
    expect(notSignedIn({}, undefined)).toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringMatching(/^Sign in first\..*session\.$/),
    })
    expect(notSignedIn({}, gone).message).toMatch(/^This session or API key is invalid.*Sign in again\.$/)
    expect(notSignedIn({ withoutAccount: 'Order without one.' }, gone).message).toMatch(
      /Sign in again\. Order without one\.$/,
    )
  })
})

describe('scopes', () => {
  const rule = { scopes: ['hire'], money: 'none' } as const

  test.each([
    [call({ method: 'GET' }), ['read']],
    [call({ method: 'GET', keys: rule }), ['read', 'write', 'hire']],
    [call(), ['write']],
    [call({ keys: rule }), ['write', 'hire']],
  ])('that cover a call', (endpoint, scopes) => {
    expect(neededScopes(endpoint)).toEqual(scopes)
  })

  test('any one is enough, and a session of a wallet needs none', () => {
    const endpoint = call({ keys: rule })
    expect(hasScope(endpoint, { ...owner, scopes: ['read', 'hire'] })).toBe(true)
    expect(hasScope(endpoint, { ...owner, scopes: ['read', 'sell'] })).toBe(false)
    expect(hasScope(endpoint, { ...owner, scopes: [] })).toBe(false)
    expect(hasScope(endpoint, owner)).toBe(true)
  })

  test('show the caller their own on public pages, while the account is there', () => {
    const page = call({ method: 'GET' })
    expect(maySeeOwn(page, owner)).toBe(true)
    expect(maySeeOwn(page, { ...owner, accountStatus: 'SUSPENDED' })).toBe(true)
    expect(maySeeOwn(page, { ...owner, accountStatus: 'DEACTIVATED' })).toBe(false)
    expect(maySeeOwn(page, { ...owner, scopes: ['hire'] })).toBe(false)
  })
})

describe('API keys and grants', () => {
  const key: Principal = { ...owner, scopes: ['hire'], budget: { id: 'key', isCapped: false } }
  const grant: Principal = { ...key, clientId: 'client' }

  test('are refused beyond their scopes, with those that would do', () => {
    const details = { scopes: ['hire'], needed: ['write', 'sell'] }
    const endpoint = call({ keys: { scopes: ['sell'], money: 'none' } })
    expect(() => checkKey(endpoint, key)).toThrow(
      forbidden('The scopes of this API key do not cover the call: it needs write or sell.', details),
    )
    expect(() => checkKey(endpoint, grant)).toThrow(forbidden('The scopes of this grant', details))
  })

  test('of clients are refused where owners act alone', () => {
    const endpoint = call({ keys: { scopes: ['hire'], money: 'none', refusesClients: true } })
    expect(() => checkKey(endpoint, grant)).toThrow(forbidden('No grant covers this.'))
    expect(() => checkKey(endpoint, key)).not.toThrow()
    expect(() => checkKey(call({ keys: { scopes: ['hire'], money: 'none' } }), grant)).not.toThrow()
  })

  test('with caps move only money that is counted, and clients always have caps', () => {
    const capped = { ...key, budget: { id: 'key', isCapped: true } }
    const uncounted = call({ keys: { scopes: ['hire'], money: 'uncapped' } })
    const counted = call({ keys: { scopes: ['hire'], money: 'counted' } })
    expect(() => checkKey(uncounted, capped)).toThrow(forbidden('the budget of this API key does not count'))
    expect(() => checkKey(uncounted, grant)).toThrow(forbidden('the budget of this grant does not count'))
    expect(() => checkKey(uncounted, key)).not.toThrow()
    expect(() => checkKey(uncounted, owner)).not.toThrow()
    for (const caller of [capped, grant]) expect(() => checkKey(counted, caller)).not.toThrow()
  })
})

describe('who may call', () => {
  const kyc = (message: string, details: object) =>
    expect.objectContaining({ code: 'KYC_REQUIRED', message: expect.stringContaining(message), details })

  test('a deactivated account may do nothing, a suspended one nothing new', () => {
    const suspended: Principal = { ...owner, accountStatus: 'SUSPENDED' }
    expect(() => checkAccess(call(), { ...owner, accountStatus: 'DEACTIVATED' })).toThrow(
      forbidden('This account is deactivated.'),
    )
    expect(() => checkAccess(call(), suspended)).not.toThrow()
    expect(() => checkAccess(call({ refusesSuspended: true }), suspended)).toThrow(
      forbidden('This account is suspended'),
    )
    expect(() => checkAccess(call({ refusesSuspended: true }), owner)).not.toThrow()
  })

  test('only admins do what admins do', () => {
    expect(() => checkAccess(call({ access: 'admin' }), owner)).toThrow(forbidden('Only admins may do this.'))
    expect(() => checkAccess(call({ access: 'admin' }), { ...owner, isAdmin: true })).not.toThrow()
  })

  test.each(['verifiedSeller', 'paidSeller'] as const)('%s: verified sellers', (access) => {
    const endpoint = call({ access })
    expect(() => checkAccess(endpoint, owner)).not.toThrow()
    expect(() => checkAccess(endpoint, { ...owner, kycStatus: 'PENDING' })).toThrow(
      kyc('register with POST /api/owners/register', { kycStatus: 'PENDING' }),
    )
    expect(() => checkAccess(endpoint, { ...owner, kycStatus: 'IN_REVIEW' })).toThrow(
      kyc('not decided yet', { kycStatus: 'IN_REVIEW' }),
    )
  })

  test('the fee is asked where the endpoint says so', () => {
    const unpaid = { ...owner, kycFeePaid: false }
    expect(() => checkAccess(call({ access: 'paidSeller' }), unpaid)).toThrow(
      kyc('POST /api/owners/kyc/fee', { kycStatus: 'VERIFIED', kycFeePaid: false }),
    )
    expect(() => checkAccess(call({ access: 'verifiedSeller' }), unpaid)).not.toThrow()
    expect(() => checkAccess(call(), { ...unpaid, kycStatus: 'PENDING' })).not.toThrow()
  })

  test('scopes are checked first', () => {
    expect(() => checkAccess(call(), { ...owner, scopes: ['read'] })).toThrow(
      forbidden('The scopes', expect.anything()),
    )
  })
})
