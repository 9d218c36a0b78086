import { createHmac, timingSafeEqual } from 'node:crypto'
import { type ApiKeyScope, AppError, type Endpoint } from '@agent-marketplace/contract'
import type { FastifyRequest } from 'fastify'
import type { Credential } from './credential.ts'
import type { Principal } from './principal.ts'

export function csrfTokenOf(sessionId: string, key: string): string {
  return createHmac('sha256', key).update(`csrf:${sessionId}`).digest('base64url')
}

/** A browser sends cookies by itself, so a cookie alone proves no intent: mutations must also carry the session's token. */
export function checkCsrf(request: FastifyRequest, credential: Credential, principal: Principal): void {
  if (credential.kind !== 'cookie' || request.method === 'GET' || request.method === 'HEAD') return
  const given = Buffer.from(String(request.headers['x-csrf-token'] ?? ''))
  const expected = Buffer.from(principal.csrfToken)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new AppError('FORBIDDEN', { message: 'The X-CSRF-Token header is missing or not this session’s.' })
  }
}

export function notSignedIn(
  { withoutAccount }: Pick<Endpoint, 'withoutAccount'>,
  credential: Credential | undefined,
): AppError {
  const message = credential
    ? 'This session or API key is invalid or has expired. Sign in again.'
    : 'Sign in first. A program sends Authorization: Bearer with its token, a page the cookie of its session.'
  return new AppError('UNAUTHORIZED', {
    message: withoutAccount === undefined ? message : `${message} ${withoutAccount}`,
  })
}

/** What is missing, and where to get it. */
function kycMessage({ kycStatus }: Principal): string {
  if (kycStatus === 'VERIFIED') return 'The verification fee is not paid yet: POST /api/owners/kyc/fee.'
  if (kycStatus === 'IN_REVIEW')
    return 'Only verified sellers may do this, and your verification is not decided yet.'
  return 'Only verified sellers may do this: register with POST /api/owners/register.'
}

/** The scopes of which any one covers the call. */
export const neededScopes = ({ method, keys }: Endpoint): readonly ApiKeyScope[] => {
  const byRule: ApiKeyScope[] = ['write', ...(keys?.scopes ?? [])]
  if (method !== 'GET') return byRule
  return keys ? ['read', ...byRule] : ['read']
}

export const hasScope = (endpoint: Endpoint, { scopes }: Principal): boolean =>
  scopes === undefined || neededScopes(endpoint).some((scope) => scopes.includes(scope))

/** Whether a public page shows the caller what is theirs. To others it is what everybody sees. */
export const maySeeOwn = (endpoint: Endpoint, principal: Principal): boolean =>
  hasScope(endpoint, principal) && principal.accountStatus !== 'DEACTIVATED'

/** What an API key or a grant may do; a session of a wallet passes. */
export function checkKey(endpoint: Endpoint, principal: Principal): void {
  const { keys } = endpoint
  const { scopes, budget, clientId } = principal
  const what = clientId === undefined ? 'this API key' : 'this grant'
  if (!hasScope(endpoint, principal)) {
    const needed = neededScopes(endpoint)
    throw new AppError('FORBIDDEN', {
      message: `The scopes of ${what} do not cover the call: it needs ${needed.join(' or ')}.`,
      details: { scopes, needed },
    })
  }
  if (keys?.refusesClients && clientId !== undefined)
    throw new AppError('FORBIDDEN', { message: 'No grant covers this. Sign in with your wallet for it.' })
  if (keys?.money === 'uncapped' && (budget?.isCapped || clientId !== undefined)) {
    throw new AppError('FORBIDDEN', {
      message: `This moves money that the budget of ${what} does not count. Sign in with your wallet for it.`,
    })
  }
}

export function checkAccess(endpoint: Endpoint, principal: Principal): void {
  checkKey(endpoint, principal)
  if (principal.accountStatus === 'DEACTIVATED') {
    throw new AppError('FORBIDDEN', { message: 'This account is deactivated.' })
  }
  if (endpoint.access === 'admin' && !principal.isAdmin) {
    throw new AppError('FORBIDDEN', { message: 'Only admins may do this.' })
  }
  const needsKyc = endpoint.access === 'verifiedSeller' || endpoint.access === 'paidSeller'
  if (needsKyc && principal.kycStatus !== 'VERIFIED') {
    throw new AppError('KYC_REQUIRED', {
      message: kycMessage(principal),
      details: { kycStatus: principal.kycStatus },
    })
  }
  if (endpoint.access === 'paidSeller' && !principal.kycFeePaid) {
    throw new AppError('KYC_REQUIRED', {
      message: kycMessage(principal),
      details: { kycStatus: principal.kycStatus, kycFeePaid: false },
    })
  }
  if (endpoint.refusesSuspended && principal.accountStatus === 'SUSPENDED') {
    throw new AppError('FORBIDDEN', {
      message: 'This account is suspended: running jobs can be finished, new ones not opened.',
    })
  }
}
