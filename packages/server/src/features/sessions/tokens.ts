import { jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../platform/clock/clock.ts'

const ISSUER = 'agent-marketplace'
const ALGORITHM = 'HS256'
const MAX_REMEMBERED_TOKENS = 10_000

export interface TokenClaims {
  sessionId: string
  expiresAt: Date
}

export interface Tokens {
  sign(claims: TokenClaims & { ownerId: string; issuedAt: Date }): Promise<string>
  /** The claims of a token that this service signed and that has not ended; undefined for any other string. */
  verify(token: string): Promise<TokenClaims | undefined>
}

/**
 * JWTs under one pinned algorithm. A verified token is remembered, so that its signature is checked once and not on
 * every request; whether its session still lives is a separate question, asked on every request (sessions.ts).
 */
export function createTokens({ secret, clock }: { secret: string; clock: Clock }): Tokens {
  const key = new TextEncoder().encode(secret)
  const remembered = new LRUCache<string, TokenClaims>({ max: MAX_REMEMBERED_TOKENS })

  async function check(token: string): Promise<TokenClaims | undefined> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        requiredClaims: ['exp', 'jti', 'sub'],
        currentDate: clock.now(),
      })
      if (payload.jti === undefined || payload.exp === undefined) return undefined
      return { sessionId: payload.jti, expiresAt: new Date(payload.exp * 1000) }
    } catch {
      // The caller learns only that a token is not valid, not why.
      return undefined
    }
  }

  return {
    sign: (claims) =>
      new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setSubject(claims.ownerId)
        .setJti(claims.sessionId)
        .setIssuedAt(claims.issuedAt)
        .setExpirationTime(claims.expiresAt)
        .sign(key),

    async verify(token) {
      const known = remembered.get(token)
      if (known) return known.expiresAt > clock.now() ? known : undefined
      const claims = await check(token)
      if (!claims) return undefined
      remembered.set(token, claims)
      return claims
    },
  }
}
