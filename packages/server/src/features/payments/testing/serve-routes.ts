import { pino } from 'pino'
import { wallClock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Route } from '../../../platform/http/call.ts'
import { createClientAddress } from '../../../platform/http/limits/client-address.ts'
import { createMemoryRateLimiter } from '../../../platform/http/limits/rate-limit.ts'
import { createMetrics } from '../../../platform/http/metrics.ts'
import { createIdempotency } from '../../../platform/http/once/idempotency.ts'
import { createRequestIds } from '../../../platform/http/request-id.ts'
import { securityHeadersOf } from '../../../platform/http/security-headers.ts'
import { createHttpServer } from '../../../platform/http/server.ts'
import { testPrincipal } from '../../../testing/test-http.ts'

/** The HTTP platform with these routes on a database that the test has already; the token is the owner's id. */
export function serveRoutes(db: Database, routes: readonly Route[]) {
  const log = pino({ level: 'silent' })
  return createHttpServer(
    {
      db,
      log,
      accessLog: log,
      clock: wallClock,
      metrics: createMetrics(),
      limiter: createMemoryRateLimiter(wallClock),
      rateLimitsEnforced: false,
      authenticate: async (ownerId) => ({ ...testPrincipal, ownerId }),
      clientAddressOf: createClientAddress([]),
      requestIdOf: createRequestIds(),
      securityHeaders: securityHeadersOf({ https: false }),
      corsOrigins: [],
      admit: undefined,
      idempotency: createIdempotency({ db, clock: wallClock }),
    },
    routes,
  )
}
