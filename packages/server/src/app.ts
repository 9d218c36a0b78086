import type { Endpoint } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import { composeFeatures } from './composition/features.ts'
import { plugIn, plugIntoHttp, routesOf } from './composition/plug-in.ts'
import type { Config } from './config/config.ts'
import { admitProbesOnly } from './features/platform-info/admission.ts'
import { createSandboxAdmission } from './features/sandbox/admission.ts'
import type { AppDeps } from './house/outside.ts'
import type { MoneyEngine } from './money/engine.ts'
import type { Replicas } from './platform/db/replicas/replicas.ts'
import { securityHeadersOf } from './platform/http/browsers/security-headers.ts'
import { resourceMetadataUrl } from './platform/http/challenge.ts'
import { createClientAddress, createPeerAddress } from './platform/http/limits/client-address.ts'
import { createMetrics, type Metrics } from './platform/http/measuring/metrics.ts'
import { createIdempotency } from './platform/http/once/idempotency.ts'
import { installOwnWrites } from './platform/http/own-writes.ts'
import { createRequestIds } from './platform/http/request-id.ts'
import { createHttpServer } from './platform/http/server.ts'
import type { Queue } from './platform/queue/queue.ts'

const CLEANING_SECONDS = 60

export interface App {
  http: FastifyInstance
  /** What is mounted, in the order of the docs. */
  endpoints: readonly Endpoint[]
  queue: Queue
  money: MoneyEngine
  /** Begins to work, unless this is an API process; one that does not work still serves requests. */
  start(options?: { isWorking?: boolean }): Promise<void>
  close(): Promise<void>
}

/** Puts the whole service together. What is outside is handed in; nothing in here opens a connection of its own. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, db, log, wallClock } = deps
  const metrics = createMetrics()
  metrics.counter(
    'database_silences_total',
    'How often the database did not respond for two seconds, and its connections were cut.',
    deps.silences,
  )
  const composed = await composeFeatures(deps)
  const { features, ground, sessions, apiKeys, oauth, connections } = composed
  const { queue, money, drain } = ground
  const idempotency = createIdempotency({ db, clock: wallClock })
  plugIn(composed, metrics)
  queue.every('remove-expired', CLEANING_SECONDS, idempotency.removeExpired)
  const routes = routesOf(composed)
  const endpoints = routes.map(({ endpoint }) => endpoint)
  const http = await createHttpServer(
    {
      db,
      log,
      accessLog: deps.accessLog,
      clock: wallClock,
      metrics,
      drain,
      idempotency,
      limiter: deps.limiter,
      rateLimitsEnforced: config.rateLimitsEnforced,
      authenticate(token, arrival) {
        if (apiKeys.isApiKey(token)) return apiKeys.authenticate(token, arrival.clientAddress)
        return oauth.isToken(token) ? oauth.authenticate(token, arrival) : sessions.authenticate(token)
      },
      resourceMetadata: resourceMetadataUrl(config.publicUrl, '/api'),
      subjectOf: connections.jobOf,
      clientAddressOf: createClientAddress(config.trustedProxies),
      connectionLimit: { most: config.maxConnections, addressOf: createPeerAddress(config.trustedProxies) },
      requestIdOf: createRequestIds(),
      securityHeaders: securityHeadersOf({ https: config.publicUrl.protocol === 'https:' }),
      publicUrl: config.publicUrl,
      corsOrigins: config.corsOrigins,
      admit: admissionOf(config),
    },
    routes,
  )
  if (deps.replicas) {
    installOwnWrites(http, deps.ownWrites)
    measureReplicas(metrics, deps.replicas)
    deps.replicas.onBehind((replica) => void ground.alert('REPLICA_BEHIND', { replica }))
  }
  plugIntoHttp(composed, http, { endpoints, metrics })

  return {
    http,
    endpoints,
    queue,
    money,
    async start({ isWorking: isWanted = true } = {}) {
      const isWorking = isWanted && config.role !== 'api'
      // Chain events may have to be queued, so the queue starts first and stops last.
      await queue.start({ isWorking })
      await money.start({ isWorking })
    },
    async close() {
      if (!(await drain.run(http.server))) log.warn('requests that took too long were cut off')
      await http.close()
      await money.stop()
      await queue.stop()
      for (const { close } of features.toReversed()) await close?.()
      await deps.limiter.close()
    },
  }
}

function measureReplicas(metrics: Metrics, replicas: Replicas): void {
  metrics.gaugeEach(
    'database_replica_lag_seconds',
    'How far what a replica shows may be behind; +Inf for one that cannot be used.',
    'replica',
    replicas.lags,
  )
  metrics.counter(
    'database_reads_sent_to_primary_total',
    'Reads of this process for which no replica was fresh enough.',
    replicas.sentToPrimary,
  )
}

/** Who is served at all, before any endpoint is looked at; undefined for everybody. */
function admissionOf(config: Config) {
  if (config.role === 'worker') return admitProbesOnly
  return config.mode === 'sandbox' ? createSandboxAdmission(config) : undefined
}
