import { type Endpoint, ESCROW_THRESHOLD_MICRO } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Config } from './config.ts'
import { createHealthReport } from './features/admin/health.ts'
import { adminRoutes } from './features/admin/routes.ts'
import { createAdminService } from './features/admin/service.ts'
import { listPaidServices } from './features/agents/paid-services.ts'
import { agentsRoutes } from './features/agents/routes.ts'
import { createAgentsService } from './features/agents/service.ts'
import { agentsTasks } from './features/agents/tasks.ts'
import { apiKeysRoutes } from './features/api-keys/routes.ts'
import { isApiKey, isKeySession } from './features/api-keys/rules.ts'
import { createApiKeysService } from './features/api-keys/service.ts'
import { authRoutes } from './features/auth/routes.ts'
import { createAuthService } from './features/auth/service.ts'
import { createSessions } from './features/auth/sessions.ts'
import { createTokens } from './features/auth/tokens.ts'
import { earningsRoutes } from './features/earnings/routes.ts'
import { createEarningsService } from './features/earnings/service.ts'
import { createRecordedStorage } from './features/files/recorded-storage.ts'
import { filesRoutes } from './features/files/routes.ts'
import { jobsEventHandlers } from './features/jobs/follow-chain.ts'
import { jobsIntentKinds } from './features/jobs/intent-kinds.ts'
import { jobsInvariants } from './features/jobs/invariants.ts'
import { jobsRoutes } from './features/jobs/routes.ts'
import { createJobsService } from './features/jobs/service.ts'
import { jobsTicks } from './features/jobs/tasks.ts'
import { JOB_PURPOSE, jobPaymentPurpose } from './features/jobs/x402-payment.ts'
import { createAdminAlert } from './features/notifications/admin-alert.ts'
import { notificationsRoutes } from './features/notifications/routes.ts'
import { createNotificationsService, type NewNotification } from './features/notifications/service.ts'
import { createNotificationStreams } from './features/notifications/streams.ts'
import { ownersRoutes } from './features/owners/routes.ts'
import { createOwnersService } from './features/owners/service.ts'
import { registerPlatformInfo } from './features/platform-info/register.ts'
import { platformInfoRoutes } from './features/platform-info/routes.ts'
import { feedbackKind } from './features/reputation/feedback.ts'
import { portfoliosOf, reviewOf, reviewsOf } from './features/reputation/history.ts'
import { reputationRoutes } from './features/reputation/routes.ts'
import { createReputationService } from './features/reputation/service.ts'
import { registerSandboxRpc, sandboxChainRoutes } from './features/sandbox/chain-routes.ts'
import { registerSandboxKycPage } from './features/sandbox/kyc-page-routes.ts'
import { sandboxKycRoutes } from './features/sandbox/kyc-routes.ts'
import { sandboxResetRoutes } from './features/sandbox/reset-routes.ts'
import { apiAccessPlans, hasPlan, premiumUntilOf, quotaOf } from './features/subscriptions/access.ts'
import { subscriptionInvariants } from './features/subscriptions/invariants.ts'
import { subscriptionsRoutes } from './features/subscriptions/routes.ts'
import { createSubscriptionsService } from './features/subscriptions/service.ts'
import { registerWebPage } from './features/web-page/register.ts'
import { webhooksRoutes } from './features/webhooks/routes.ts'
import { createWebhooksService } from './features/webhooks/service.ts'
import { webhooksTasks } from './features/webhooks/tasks.ts'
import { withdrawalKind } from './features/withdrawals/intent-kind.ts'
import { withdrawalInvariants } from './features/withdrawals/invariants.ts'
import { withdrawalsRoutes } from './features/withdrawals/routes.ts'
import { createWithdrawalsService } from './features/withdrawals/service.ts'
import { kycFeeRoutes } from './features/x402/kyc-fee.ts'
import { logRoutes } from './features/x402/log-routes.ts'
import { createLogService } from './features/x402/log-service.ts'
import { findLivePayment } from './features/x402/payments-store.ts'
import { facilitatorRoutes } from './features/x402/routes.ts'
import { createX402Service } from './features/x402/service.ts'
import { createMoneyEngine, type MoneyEngine } from './money/engine.ts'
import { moneyInvariants } from './money/invariants.ts'
import { createReconciler } from './money/reconciler.ts'
import type { Clock } from './platform/clock/clock.ts'
import type { Connection } from './platform/db/connection.ts'
import type { Database } from './platform/db/database.ts'
import type { Queryable } from './platform/db/queryable.ts'
import { createClientAddress } from './platform/http/client-address.ts'
import { createCursors } from './platform/http/cursor.ts'
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
import type { PaymentsPort } from './ports/payments/port.ts'
import type { StoragePort } from './ports/storage/port.ts'
import type { WalletsPort } from './ports/wallets/port.ts'

/** The outside world, already connected. `adapters.ts` chooses the adapters; tests bring their own clocks and databases. */
export interface AppDeps {
  config: Config
  log: Log
  accessLog: Log
  connection: Connection
  db: Database
  /** Its own pool with a short statement timeout, so that a slow search holds nothing else up. */
  searchDb: Database
  /** Sessions, nonces, limits and logs run on real time; deadlines and periods on the business clock. */
  wallClock: Clock
  clock: Clock
  limiter: RateLimiter
  chain: ChainPort
  kyc: KycPort
  payments: PaymentsPort
  storage: StoragePort
  wallets: WalletsPort
  /** Where the built web page lies, if it was built. */
  webDirectory: string | undefined
  /** Only in sandbox mode, and there only the parts that are embedded. */
  sandbox:
    | {
        chain: SandboxChain | undefined
        kyc: SandboxKyc | undefined
        /** Throws everything away and starts over; only where all of it is embedded. */
        reset: (() => void) | undefined
      }
    | undefined
}

export interface App {
  http: FastifyInstance
  /** What is mounted, in the order of the docs. */
  endpoints: readonly Endpoint[]
  queue: Queue
  money: MoneyEngine
  /** Begins to work; a process that does not work still answers requests. */
  start(options?: { isWorking?: boolean }): Promise<void>
  close(): Promise<void>
}

const CLEANING_INTERVAL_SECONDS = 60
const AUDIT_INTERVAL_SECONDS = 60
const LOOK_UP_INTERVAL_SECONDS = 5
const SUBSCRIPTION_INTERVAL_SECONDS = 30

/** The only place where features meet: each is given what it names in its deps, and no feature knows another. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, db, log, wallClock, clock, chain } = deps
  const { publicUrl } = config
  const newId = createIdSource(wallClock)
  const metrics = createMetrics()
  const adminWallets = adminWalletsOf(deps)
  const isAdminWallet = (walletAddress: string) => adminWallets.has(walletAddress.toLowerCase())
  const queue = createQueue({ db, connection: deps.connection, log })
  const idempotency = createIdempotency({ db, clock: wallClock })
  const storage = createRecordedStorage({ db, clock, storage: deps.storage })

  // Who is there, and what they are told.
  const tokens = createTokens({ secret: config.sessionSecret, clock: wallClock })
  const csrfKey = config.sessionSecret
  const sessions = await createSessions({ db, clock: wallClock, tokens, csrfKey, isAdminWallet })
  const notifications = createNotificationsService({ db, clock, newId })
  const webhooks = createWebhooksService({
    db,
    // Receivers compare the time of a message with their own.
    clock: wallClock,
    newId,
    queue,
    // What a webhook itself has to tell goes to the feed alone, so that no webhook ever tells of itself.
    notify: notifications.notify,
    sealingKey: config.sessionSecret,
    allowsLocal: config.mode === 'sandbox',
  })
  const notify = async (tx: Queryable, ...notices: NewNotification[]): Promise<void> => {
    await notifications.notify(tx, ...notices)
    await webhooks.enqueueWebhookEvents(tx, ...notices)
  }
  const alert = createAdminAlert({ db, log, notify, adminWallets })
  const streams = await createNotificationStreams({
    db,
    log,
    isLive: ({ sessionId }) =>
      isKeySession(sessionId) ? apiKeys.isLive(sessionId) : sessions.isLive(sessionId),
  })
  const owners = createOwnersService({
    db,
    log,
    clock: wallClock,
    newId,
    kyc: deps.kyc,
    isAdminWallet,
    notify,
    forgetOwner: sessions.forgetOwner,
    agentsOf: (ownerId) => agents.agentsOf(ownerId),
    earningsOf: (ownerId) => earnings.earningsOf(ownerId),
  })
  const auth = createAuthService({
    db,
    clock: wallClock,
    chain,
    tokens,
    csrfKey,
    accounts: owners.accounts,
    publicUrl,
  })

  // Money: what is decided becomes an intent, what the chain says comes back as events.
  const money = createMoneyEngine({
    db,
    chain,
    log,
    newId,
    alert,
    settings: config.chain
      ? { startBlock: BigInt(config.chain.escrowStartBlock), trialsBeforeRejection: 2 }
      : { batchSize: 200 },
  })
  const { intents } = money
  const reconciler = createReconciler({
    db,
    chain,
    log,
    alert,
    invariants: [...moneyInvariants, ...jobsInvariants, ...withdrawalInvariants, ...subscriptionInvariants],
  })
  const quotaNow = (queryable: Queryable, ownerId: string) => quotaOf(queryable, ownerId, clock.now())
  const agents = createAgentsService({
    db,
    searchDb: deps.searchDb,
    clock,
    newId,
    intents,
    notify,
    wallets: deps.wallets,
    registry: chain.agentRegistry,
    publicUrl,
    cursorSecret: config.sessionSecret,
    approvesItself: config.agentApproval === 'auto',
    quotaOf: quotaNow,
    premiumUntilOf,
    walletOf: owners.walletOf,
    companyNameOf: owners.companyNameOf,
    reviewsOf,
    portfoliosOf,
  })
  const x402 = await createX402Service({
    db,
    log,
    clock: wallClock,
    chainClock: clock,
    newId,
    port: deps.payments,
    intents,
    chain,
    publicUrl,
    agentOf: agents.agentOf,
  })
  const logs = createLogService({ db, clock, newId, chain, queue, agentOf: agents.agentOf })
  const withdrawals = createWithdrawalsService({
    db,
    clock,
    newId,
    chain,
    intents,
    notify,
    agentOf: agents.ownAgentOf,
    walletOf: owners.walletOf,
  })
  intents.register(withdrawalKind({ clock, chain, wallets: deps.wallets, intents, notify, alert }))
  const earnings = createEarningsService({ db, clock, agentsOf: agents.agentsOf })

  // Plans: what is paid for opens quota, premium listings and API keys.
  const subscriptions = createSubscriptionsService({
    db,
    log,
    clock,
    newId,
    chain,
    intents,
    onEvent: money.onEvent,
    notify,
    alert,
    walletOf: owners.walletOf,
    async fitAgentsToQuota(tx, ownerId) {
      const quota = await quotaNow(tx, ownerId)
      await agents.pauseAgentsBeyond(tx, ownerId, quota)
      await agents.resumeAgentsUpTo(tx, ownerId, quota)
    },
    setPremiumUntil: agents.setPremiumUntil,
  })
  const apiKeys = createApiKeysService({
    db,
    clock: wallClock,
    newId,
    hasApiAccess: (queryable, ownerId) =>
      hasPlan(queryable, { ownerId, plans: apiAccessPlans, now: clock.now() }),
  })

  // Work: from hire to payout and review.
  const jobs = createJobsService({
    db,
    clock,
    newId,
    chain,
    intents,
    notify,
    storage,
    addJobToTotals: agents.addJobToTotals,
    isPaymentUnderWay: async (tx, jobId) => (await findLivePayment(tx, JOB_PURPOSE, jobId)) !== undefined,
    followChain: async () => void (await money.runOnce()),
    cursors: createCursors(Type.Object({ createdAt: Type.String(), id: Type.String() }), {
      secret: config.sessionSecret,
      list: 'jobs',
    }),
    reviewOf,
    onAmlFlagged: (tx, job) => admin.aml.raise(tx, job),
  })
  for (const kind of jobsIntentKinds({ clock, newId, notify, escrow: chain.escrow })) intents.register(kind)
  const { addJobToTotals, addDisputeToTotals } = agents
  for (const { name, handle, undo } of jobsEventHandlers({
    newId,
    notify,
    intents,
    addJobToTotals,
    addDisputeToTotals,
  })) {
    money.onEvent(name, handle, undo)
  }
  x402.payments.register(jobPaymentPurpose({ clock, newId, notify }))
  const reputation = createReputationService({
    db,
    clock,
    newId,
    intents,
    notify,
    lockForReview: jobs.lockForReview,
    addReviewToTotals: agents.addReviewToTotals,
    reputationOf: agents.reputationOf,
    agentIdOf: async (wallet) => (await agents.detailOf(wallet, undefined)).row.id,
  })
  const { addFeedbackToTotals } = agents
  intents.register(feedbackKind({ db, registry: chain.reputation, publicUrl, addFeedbackToTotals }))

  // The operators' console: it decides on people, and carries what the Safe's owners decide on money.
  const admin = createAdminService({
    db,
    clock,
    newId,
    notify,
    intents,
    isAdminWallet,
    forgetOwner: sessions.forgetOwner,
    agents,
    ...jobs.console,
    safe: chain.arbiter,
    listWithdrawals: withdrawals.listAll,
    ...createHealthReport({ money, queue, reader: chain.reader }),
  })
  intents.register(admin.rulingKind)

  const sandboxChain = deps.sandbox?.chain && {
    chain: deps.sandbox.chain,
    checksumAddress: chain.checksumAddress,
    wallClock,
    async runDueWork() {
      await queue.runAllNow({ onlyDue: true })
      await money.runUntilIdle()
    },
  }
  const routes = [
    ...authRoutes({ auth, forgetOwner: sessions.forgetOwner, secureCookies: config.mode === 'production' }),
    ...ownersRoutes({ owners }),
    ...kycFeeRoutes({
      db,
      paidCalls: x402.paidCalls,
      registerPurpose: x402.payments.register,
      treasury: chain.facts.contracts.treasury,
      ownerOf: async (queryable, ownerId) => (await owners.accounts.find(queryable, ownerId)).owner,
      markFeePaid: (tx, ownerId, feePaid) => owners.setKyc(tx, ownerId, { feePaid }),
      notify,
    }),
    ...subscriptionsRoutes({ subscriptions }),
    ...apiKeysRoutes({ apiKeys }),
    ...earningsRoutes({ earnings }),
    ...withdrawalsRoutes({ withdrawals }),
    ...agentsRoutes({ agents }),
    ...reputationRoutes({ reputation }),
    ...jobsRoutes({ jobs, chain, requirePayment: x402.paidCalls.requirePayment }),
    ...logRoutes({ logs }),
    ...facilitatorRoutes({ facilitator: x402.facilitator, listPaidResources }),
    ...filesRoutes({ db, clock, storage }),
    ...notificationsRoutes({ notifications, streams }),
    ...webhooksRoutes({ webhooks }),
    ...platformInfoRoutes(publicFacts(config, chain), clock),
    ...adminRoutes({ admin }),
    ...(deps.sandbox ? sandboxKycRoutes({ setKyc: owners.setKyc }) : []),
    ...(sandboxChain ? sandboxChainRoutes(sandboxChain) : []),
    ...(deps.sandbox?.reset ? sandboxResetRoutes({ reset: deps.sandbox.reset }) : []),
  ]

  async function listPaidResources(page: { limit: number; offset: number }) {
    const { services, total } = await listPaidServices(db, { ...page, belowMicro: ESCROW_THRESHOLD_MICRO })
    const resources = services.map((service) => ({
      url: new URL('/api/jobs', publicUrl).href,
      description: `Hire ${service.agentName} for “${service.serviceName}”. Send agentId ${service.agentId}.`,
      serviceName: service.serviceName,
      tags: [service.category, ...service.skills],
      offer: x402.offerFor({ payTo: service.walletAddress, amountMicro: service.priceMicro }),
      updatedAt: service.createdAt,
    }))
    return { resources, total }
  }

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
      authenticate: (token) => (isApiKey(token) ? apiKeys.authenticate(token) : sessions.authenticate(token)),
      clientAddressOf: createClientAddress(config.trustedProxies),
      requestIdOf: createRequestIds(),
      setSecurityHeaders: createSecurityHeaders({ https: publicUrl.protocol === 'https:' }),
      corsOrigins: config.corsOrigins,
    },
    routes,
  )
  agents.hotPages.install(http)
  registerPlatformInfo(http, {
    endpoints,
    publicUrl,
    health: { log, parts: { database: db.ping, queue: queue.countDeadLetters, chain: chain.ping } },
    metrics: { metrics, metricsToken: config.metricsToken },
  })
  registerWebPage(http, { directory: deps.webDirectory, connectTo: rpcOrigins(config, chain) })
  if (sandboxChain) registerSandboxRpc(http, sandboxChain)
  if (deps.sandbox?.kyc) {
    registerSandboxKycPage(http, {
      findApplicant: owners.findKycApplicant,
      messageOf: deps.sandbox.kyc.messageOf,
      receiveWebhook: owners.receiveKycWebhook,
    })
  }
  http.addHook('preClose', () => streams.close())

  // What happens without anybody asking.
  metrics.gauge(
    'money_invariant_breaches',
    'Rules of the books that did not hold at the last audit.',
    reconciler.breachCount,
  )
  metrics.gauge('queue_dead_letters', 'Jobs of the queue that were given up.', queue.countDeadLetters)
  agentsTasks({ agents, queue })
  webhooksTasks({ webhooks, queue })
  for (const { name, seconds, handler } of jobsTicks({ db, clock, newId, notify, actions: jobs.actions })) {
    queue.every(name, seconds, handler)
  }
  queue.every('subscriptions', SUBSCRIPTION_INTERVAL_SECONDS, subscriptions.runDue)
  queue.every('x402-look-ups', LOOK_UP_INTERVAL_SECONDS, async () => void (await x402.payments.resume()))
  queue.every('audit', AUDIT_INTERVAL_SECONDS, async () => void (await reconciler.run()))
  queue.every('remove-expired', CLEANING_INTERVAL_SECONDS, async () => {
    await auth.removeExpired()
    await idempotency.removeExpired()
    await money.prune()
  })

  return {
    http,
    endpoints,
    queue,
    money,
    async start({ isWorking = true } = {}) {
      // What the chain tells may have to be queued, so the queue is there first and goes last.
      await queue.start({ isWorking })
      await money.start({ isWorking })
    },
    async close() {
      await http.close()
      await money.stop()
      await queue.stop()
      await x402.payments.close()
      await sessions.close()
      await deps.limiter.close()
    },
  }
}

/** In the sandbox one test wallet may look after the marketplace too. */
function adminWalletsOf({ config, sandbox }: AppDeps): ReadonlySet<string> {
  const testWallets = sandbox?.chain?.testWallets.filter(({ role }) => role === 'admin') ?? []
  return new Set([...config.adminWallets, ...testWallets.map(({ address }) => address.toLowerCase())])
}

/** The page follows transactions on the chain itself; in the sandbox that is this server. */
function rpcOrigins(config: Config, { facts }: ChainPort): string[] {
  return config.chain === undefined ? [] : [new URL(facts.publicRpcUrl).origin]
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
