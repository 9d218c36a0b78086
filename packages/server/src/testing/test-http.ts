import { pino } from 'pino'
import { securityHeadersOf } from '../platform/http/browsers/security-headers.ts'
import type { Route } from '../platform/http/call.ts'
import { createDrain } from '../platform/http/drain.ts'
import { createClientAddress, createPeerAddress } from '../platform/http/limits/client-address.ts'
import { createMemoryRateLimiter } from '../platform/http/limits/rate-limit.ts'
import { createMetrics } from '../platform/http/measuring/metrics.ts'
import { createIdempotency } from '../platform/http/once/idempotency.ts'
import type { Principal } from '../platform/http/principal.ts'
import { createRequestIds } from '../platform/http/request-id.ts'
import { createHttpServer, type HttpServerDeps } from '../platform/http/server.ts'
import { createTestClock } from './test-clock.ts'
import { createTestDatabase } from './test-database.ts'

export const testPrincipal: Principal = {
  ownerId: 'cowner00000000000000000000',
  sessionId: 'session-1',
  expiresAt: new Date('2099-01-01T00:00:00Z'),
  csrfToken: 'csrf-of-session-1',
  kycStatus: 'PENDING',
  kycFeePaid: false,
  isAdmin: false,
  accountStatus: 'ACTIVE',
}

/** The HTTP platform alone, with routes of the test's own. The token `t:<json>` stands for a principal with those fields. */
export async function createTestHttp(routes: readonly Route[], overrides: Partial<HttpServerDeps> = {}) {
  const database = await createTestDatabase()
  const clock = createTestClock()
  const deps: HttpServerDeps = {
    db: database.db,
    log: pino({ level: 'silent' }),
    accessLog: pino({ level: 'silent' }),
    clock,
    metrics: createMetrics(),
    drain: createDrain(),
    limiter: createMemoryRateLimiter(clock),
    rateLimitsEnforced: true,
    authenticate: async (token) =>
      token.startsWith('t:')
        ? { ...testPrincipal, ...JSON.parse(decodeURIComponent(token.slice(2))) }
        : undefined,
    resourceMetadata: 'http://localhost:4000/.well-known/oauth-protected-resource/api',
    subjectOf: async () => undefined,
    clientAddressOf: createClientAddress([]),
    connectionLimit: { most: 10_000, addressOf: createPeerAddress([]) },
    requestIdOf: createRequestIds(),
    securityHeaders: securityHeadersOf({ https: false }),
    publicUrl: new URL('http://market.example'),
    corsOrigins: [],
    admit: undefined,
    idempotency: createIdempotency({ db: database.db, clock }),
    ...overrides,
  }
  const app = await createHttpServer(deps, routes)
  return {
    app,
    clock,
    db: database.db,
    async close() {
      await app.close()
      await database.close()
    },
  }
}

/** A Bearer token for `createTestHttp`. */
export function tokenFor(fields: Partial<Principal> = {}): string {
  return `t:${encodeURIComponent(JSON.stringify(fields))}`
}
