import type { Endpoint } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { authRoutes } from './features/auth/routes.ts'
import { createAuthService } from './features/auth/service.ts'
import { createSessions } from './features/auth/sessions.ts'
import { createTokens } from './features/auth/tokens.ts'
import { notificationsRoutes } from './features/notifications/routes.ts'
import { createNotificationsService } from './features/notifications/service.ts'
import { createNotificationStreams } from './features/notifications/streams.ts'
import { ownersRoutes } from './features/owners/routes.ts'
import { createOwnersService } from './features/owners/service.ts'
import { registerPlatformInfo } from './features/platform-info/register.ts'
import { platformInfoRoutes } from './features/platform-info/routes.ts'
import { registerSandboxRpc, sandboxChainRoutes } from './features/sandbox/chain-routes.ts'
import { registerSandboxKycPage } from './features/sandbox/kyc-page-routes.ts'
import { sandboxKycRoutes } from './features/sandbox/kyc-routes.ts'
import type { Clock } from './platform/clock/clock.ts'
import type { Connection } from './platform/db/connection.ts'
import type { Database } from './platform/db/database.ts'
import { createClientAddress } from './platform/http/client-address.ts'
import { createIdempotency } from './platform/http/idempotency.ts'
import { createMetrics } from './platform/http/metrics.ts'
import type { RateLimiter } from './platform/http/rate-limit.ts'
import { createRequestIds } from './platform/http/request-id.ts'
import { createSecurityHeaders } from './platform/http/security-headers.ts'
import { createHttpServer } from './platform/http/server.ts'
import { createIdSource } from './platform/id/id.ts'
import type { Log } from './platform/log/log.ts'
import { createQueue, type Queue } from './platform/queue/queue.ts'
import type { ChainPort, SandboxChain } from './ports/chain/port.ts'
import type { KycPort } from './ports/kyc/port.ts'
import type { SandboxKyc } from './ports/kyc/sandbox.ts'

/** The outside world, already connected. `main.ts` chooses the adapters; tests bring their own clocks and databases. */
export interface AppDeps {
  config: Config
  log: Log
  accessLog: Log
  connection: Connection
  db: Database
  /** Sessions, nonces, limits and logs run on real time; deadlines and periods on the business clock. */
  wallClock: Clock
  clock: Clock
  limiter: RateLimiter
  chain: ChainPort
  kyc: KycPort
  /** Only in sandbox mode, and there only the parts that are embedded. */
  sandbox: { chain: SandboxChain | undefined; kyc: SandboxKyc | undefined } | undefined
}

export interface App {
  http: FastifyInstance
  /** What is mounted, in the order of the docs. */
  endpoints: readonly Endpoint[]
  queue: Queue
  close(): Promise<void>
}

const CLEANING_INTERVAL_SECONDS = 60

/** The only place where features meet: each is given what it names in its deps, and no feature knows another. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, db, log, wallClock, clock, chain } = deps
  const newId = createIdSource(wallClock)
  const metrics = createMetrics()
  const isAdminWallet = (walletAddress: string) => config.adminWallets.has(walletAddress.toLowerCase())
  const queue = createQueue({ db, connection: deps.connection, log })
  const idempotency = createIdempotency({ db, clock: wallClock })

  const tokens = createTokens({ secret: config.sessionSecret, clock: wallClock })
  const csrfKey = config.sessionSecret
  const sessions = await createSessions({ db, clock: wallClock, tokens, csrfKey, isAdminWallet })

  const notifications = createNotificationsService({ db, clock, newId })
  const streams = await createNotificationStreams({
    db,
    log,
    isLive: (principal) => sessions.isLive(principal.sessionId),
  })
  const owners = createOwnersService({
    db,
    log,
    clock: wallClock,
    newId,
    kyc: deps.kyc,
    isAdminWallet,
    notify: notifications.notify,
    forgetOwner: sessions.forgetOwner,
    agentsOf: async () => [],
    earningsOf: async () => ({ totalEarnedMicro: 0n, availableBalanceMicro: 0n }),
  })
  const auth = createAuthService({
    db,
    clock: wallClock,
    chain,
    tokens,
    csrfKey,
    accounts: owners.accounts,
    publicUrl: config.publicUrl,
  })

  const sandboxChain = deps.sandbox?.chain && {
    chain: deps.sandbox.chain,
    checksumAddress: chain.checksumAddress,
    wallClock,
    runDueWork: () => queue.runAllNow({ onlyDue: true }),
  }
  const routes = [
    ...authRoutes({ auth, forgetOwner: sessions.forgetOwner, secureCookies: config.mode === 'production' }),
    ...ownersRoutes({ owners }),
    ...notificationsRoutes({ notifications, streams }),
    ...platformInfoRoutes(publicFacts(config, chain)),
    ...(deps.sandbox ? sandboxKycRoutes({ setKyc: owners.setKyc }) : []),
    ...(sandboxChain ? sandboxChainRoutes(sandboxChain) : []),
  ]
  const endpoints = routes.map(({ endpoint }) => endpoint)
  const http = await createHttpServer(
    {
      db,
      log,
      accessLog: deps.accessLog,
      clock: wallClock,
      metrics,
      idempotency,
      limiter: deps.limiter,
      rateLimitsEnforced: config.rateLimitsEnforced,
      authenticate: sessions.authenticate,
      clientAddressOf: createClientAddress(config.trustedProxies),
      requestIdOf: createRequestIds(),
      setSecurityHeaders: createSecurityHeaders({ https: config.publicUrl.protocol === 'https:' }),
      corsOrigins: config.corsOrigins,
    },
    routes,
  )
  registerPlatformInfo(http, {
    endpoints,
    publicUrl: config.publicUrl,
    health: { log, parts: { database: db.ping, queue: queue.countDeadLetters, chain: chain.ping } },
    metrics: { metrics, metricsToken: config.metricsToken },
  })
  if (sandboxChain) registerSandboxRpc(http, sandboxChain)
  if (deps.sandbox?.kyc) {
    registerSandboxKycPage(http, {
      findApplicant: owners.findKycApplicant,
      messageOf: deps.sandbox.kyc.messageOf,
      receiveWebhook: owners.receiveKycWebhook,
    })
  }
  http.addHook('preClose', () => streams.close())

  queue.every('remove-expired', CLEANING_INTERVAL_SECONDS, async () => {
    await auth.removeExpired()
    await idempotency.removeExpired()
  })

  return {
    http,
    endpoints,
    queue,
    async close() {
      await http.close()
      await queue.stop()
      await sessions.close()
      await deps.limiter.close()
    },
  }
}

function publicFacts(config: Config, { facts }: ChainPort) {
  const rpcUrl = config.chain === undefined ? new URL('/rpc', config.publicUrl).href : facts.publicRpcUrl
  return {
    mode: config.mode,
    chain: { id: facts.chainId, name: facts.name, rpcUrl, explorerUrl: facts.explorerUrl },
    contracts: facts.contracts,
    usdc: { address: facts.contracts.usdc, ...facts.usdc },
    spender: facts.spender,
  }
}
