import { openSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineEndpoint, oneForm } from '@agent-marketplace/contract'
import { fastify } from 'fastify'
import { pino } from 'pino'
import { Type } from 'typebox'
import { createTokens } from '../packages/server/src/features/sessions/tokens.ts'
import { wallClock } from '../packages/server/src/platform/clock/clock.ts'
import { createDatabase } from '../packages/server/src/platform/db/database.ts'
import { csrfTokenOf } from '../packages/server/src/platform/http/access.ts'
import { securityHeadersOf } from '../packages/server/src/platform/http/browsers/security-headers.ts'
import { route } from '../packages/server/src/platform/http/call.ts'
import { createDrain } from '../packages/server/src/platform/http/drain.ts'
import {
  createClientAddress,
  createPeerAddress,
} from '../packages/server/src/platform/http/limits/client-address.ts'
import { createMemoryRateLimiter } from '../packages/server/src/platform/http/limits/rate-limit.ts'
import { createMetrics } from '../packages/server/src/platform/http/measuring/metrics.ts'
import { createIdempotency } from '../packages/server/src/platform/http/once/idempotency.ts'
import { createRequestIds } from '../packages/server/src/platform/http/request-id.ts'
import { createHttpServer } from '../packages/server/src/platform/http/server.ts'
import { createLog } from '../packages/server/src/platform/log/log.ts'
import { reportTo } from './measuring/measure.ts'
import { agents, benchSecret, benchSession } from './measuring/sample.ts'

/**
 * Two servers with one route that returns the same 20 agents through the same response schema: Fastify alone, and Fastify
 * behind our whole pipeline. The difference is the pipeline.
 */
const [, , name] = process.argv

const Agent = Type.Object({
  id: Type.String(),
  walletAddress: Type.String(),
  name: Type.String(),
  description: Type.String(),
  category: Type.String(),
  avatarUrl: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  hourlyRateUsdc: Type.String(),
  averageRating: Type.Number(),
  totalJobs: Type.Integer(),
  approvalStatus: Type.String(),
})

const listed = defineEndpoint({
  id: 'listed',
  method: 'GET',
  path: '/api/agents',
  tag: 'Bench',
  summary: 'bench',
  description: 'bench',
  access: 'owner',
  rate: 'api',
  status: 200,
  errors: [],
  response: oneForm(
    Type.Object({
      data: Type.Array(Agent),
      nextCursor: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    }),
  ),
})

const body = { data: agents, nextCursor: null }

async function bare() {
  const app = fastify({ logger: false })
  app.get('/api/agents', { schema: { response: { 200: listed.response.schema } } }, async () => body)
  return app
}

/** A real file, so that lines are really written. It has no name any more and is gone with the process. */
function openLogFile(): number {
  const path = join(tmpdir(), `pipeline-${process.pid}.log`)
  const fd = openSync(path, 'w')
  unlinkSync(path)
  return fd
}

async function pipeline() {
  // The endpoint touches no data, so this database is never connected to.
  const db = createDatabase({
    connection: { host: '127.0.0.1', port: 1 },
    poolSize: 1,
    log: pino({ level: 'silent' }),
  })
  const tokens = createTokens({ secret: benchSecret, clock: wallClock })
  const principal = {
    ownerId: 'cbench0000000000000000000',
    sessionId: benchSession,
    expiresAt: new Date('2099-01-01'),
    csrfToken: csrfTokenOf(benchSession, benchSecret),
    kycStatus: 'VERIFIED',
    kycFeePaid: true,
    isAdmin: false,
    accountStatus: 'ACTIVE',
  } as const
  return createHttpServer(
    {
      db,
      ...createLog({ level: 'info', fd: openLogFile() }),
      clock: wallClock,
      metrics: createMetrics(),
      drain: createDrain(),
      idempotency: createIdempotency({ db, clock: wallClock }),
      limiter: createMemoryRateLimiter(wallClock),
      rateLimitsEnforced: false,
      authenticate: async (token) =>
        (await tokens.verify(token))?.sessionId === benchSession ? principal : undefined,
      subjectOf: async () => undefined,
      resourceMetadata: 'http://localhost:4000/.well-known/oauth-protected-resource/api',
      clientAddressOf: createClientAddress([]),
      connectionLimit: { most: 10_000, addressOf: createPeerAddress([]) },
      requestIdOf: createRequestIds(),
      securityHeaders: securityHeadersOf({ https: true }),
      publicUrl: new URL('https://market.example'),
      corsOrigins: [],
      admit: undefined,
    },
    [route(listed, async () => body)],
  )
}

const app = name === 'bare' ? await bare() : await pipeline()
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
reportTo(process, typeof address === 'object' && address ? address.port : 0)
process.on('SIGTERM', () => process.exit(0))
