import { openSync } from 'node:fs'
import { createServer } from 'node:http'
import { mergeFormValues } from '@agent-marketplace/contract'
import pg from 'pg'
import { pino } from 'pino'
import {
  presentAgent,
  presentBothForms,
  presentDetail,
} from '../packages/server/src/features/agents/present.ts'
import { agentsRoutes } from '../packages/server/src/features/agents/routes.ts'
import { createAgentsService } from '../packages/server/src/features/agents/service.ts'
import { findAgentsByWallet } from '../packages/server/src/features/agents/store.ts'
import { wallClock } from '../packages/server/src/platform/clock/clock.ts'
import { type Connection, types } from '../packages/server/src/platform/db/connection.ts'
import { createDatabase } from '../packages/server/src/platform/db/database.ts'
import { createQueryable } from '../packages/server/src/platform/db/queryable.ts'
import { createClientAddress } from '../packages/server/src/platform/http/client-address.ts'
import { createIdempotency } from '../packages/server/src/platform/http/idempotency.ts'
import { createMetrics } from '../packages/server/src/platform/http/metrics.ts'
import { createMemoryRateLimiter } from '../packages/server/src/platform/http/rate-limit.ts'
import { createRequestIds } from '../packages/server/src/platform/http/request-id.ts'
import { createSecurityHeaders } from '../packages/server/src/platform/http/security-headers.ts'
import { createHttpServer } from '../packages/server/src/platform/http/server.ts'
import { createIdSource } from '../packages/server/src/platform/id/id.ts'
import { createLog } from '../packages/server/src/platform/log/log.ts'
import { reportTo } from './measure.ts'

/**
 * Two servers over the same database: `ours`, the whole product with its pipeline, and `raw`, node:http with one named
 * prepared statement per request and no checks at all. `raw` answers lists from memory, by JSON.stringify each time.
 */
const [, , name] = process.argv
const connection: Connection = JSON.parse(process.env.BENCH_CONNECTION ?? '{}')
const POOL_SIZE = 16

async function startOurs(): Promise<number> {
  const silent = pino({ level: 'silent' })
  const db = createDatabase({ connection, poolSize: POOL_SIZE, log: silent })
  const searchDb = createDatabase({ connection, poolSize: 4, log: silent, statementTimeoutMs: 2_000 })
  const unused = async () => {
    throw new Error('the benchmark only reads')
  }
  const agents = createAgentsService({
    db,
    searchDb,
    clock: wallClock,
    newId: createIdSource(wallClock),
    intents: { create: unused, register: () => {} },
    notify: unused,
    wallets: { provision: unused, updateLimits: unused },
    quotaOf: async () => 1,
    premiumUntilOf: async () => null,
    approvesItself: true,
    cursorSecret: 'a secret for cursors in benchmarks',
    publicUrl: new URL('https://market.example'),
    registry: {
      reference: 'eip155:31337:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432',
      register: () => ({ to: '0x', data: '0x', value: 0n }),
      transfer: () => ({ to: '0x', data: '0x', value: 0n }),
    },
    walletOf: unused,
    companyNameOf: async () => null,
    reviewsOf: async () => new Map(),
    portfoliosOf: async () => new Map(),
  })
  const lines = pino.destination({ fd: openSync('/dev/null', 'w'), sync: false, minLength: 4096 })
  const app = await createHttpServer(
    {
      db,
      ...createLog({ level: 'info', destination: lines }),
      clock: wallClock,
      metrics: createMetrics(),
      idempotency: createIdempotency({ db, clock: wallClock }),
      limiter: createMemoryRateLimiter(wallClock),
      rateLimitsEnforced: false,
      authenticate: async () => undefined,
      clientAddressOf: createClientAddress([]),
      requestIdOf: createRequestIds(),
      setSecurityHeaders: createSecurityHeaders({ https: true }),
      corsOrigins: [],
    },
    agentsRoutes({ agents }),
  )
  agents.hotPages.install(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return portOf(app.server.address())
}

async function startRaw(): Promise<number> {
  const pool = new pg.Pool({ ...connection, types, max: POOL_SIZE })
  const db = createQueryable(({ text, values, name }) => pool.query({ text, values, name }))
  const newest = await pool.query(
    'select * from agents where listed order by created_at desc, id desc limit 20',
  )
  const firstPage = { data: newest.rows.map(presentAgent), nextCursor: 'x'.repeat(111) }
  const sendJson = (response: import('node:http').ServerResponse, value: unknown) => {
    const body = JSON.stringify(value)
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path === '/api/agents') return sendJson(response, firstPage)
    void findAgentsByWallet(db, [path.slice('/api/agents/'.length).toLowerCase()]).then(([row]) => {
      if (!row) return response.writeHead(404).end()
      const history = { reviews: [], portfolio: [] }
      const { a, b } = presentBothForms(row, presentDetail(row, { history, registry: '', isPrivy: false }))
      sendJson(response, mergeFormValues(a, b))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return portOf(server.address())
}

function portOf(address: string | { port: number } | null): number {
  return typeof address === 'object' && address ? address.port : 0
}

reportTo(process, name === 'raw' ? await startRaw() : await startOurs())
process.on('SIGTERM', () => process.exit(0))
