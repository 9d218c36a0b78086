import { Type } from 'typebox'
import { createHealthReport } from '../features/admin/operations/health.ts'
import { createAdminService } from '../features/admin/service.ts'
import { createAgentsService } from '../features/agents/service.ts'
import { isKeySession } from '../features/api-keys/rules.ts'
import { createApiKeysService } from '../features/api-keys/service.ts'
import { createAuthService } from '../features/auth/service.ts'
import { createSessions } from '../features/auth/sessions.ts'
import { createTokens } from '../features/auth/tokens.ts'
import { createEarningsService } from '../features/earnings/service.ts'
import { createFacilitator, facilitatorPurpose } from '../features/facilitator/service.ts'
import { addFileOwner } from '../features/files/file-owners.ts'
import { createRecordedStorage } from '../features/files/recorded-storage.ts'
import { createHeldPayments } from '../features/held-payments/service.ts'
import { chainHealthOf } from '../features/jobs/chain/confirmation.ts'
import { createReplay, jobsEventHandlers } from '../features/jobs/chain/follow-chain.ts'
import { jobsIntentKinds } from '../features/jobs/chain/intent-kinds.ts'
import { findJobIdByKey } from '../features/jobs/lifecycle/store.ts'
import { JOB_PURPOSE, jobPaymentPurpose } from '../features/jobs/payment/x402-payment.ts'
import { createJobsService } from '../features/jobs/service.ts'
import { createAdminAlert } from '../features/notifications/admin-alert.ts'
import { createNotificationsService } from '../features/notifications/service.ts'
import { createNotificationStreams } from '../features/notifications/streams.ts'
import { createOwnersService } from '../features/owners/service.ts'
import { createPaymentsService } from '../features/payments/service.ts'
import { findLivePayment } from '../features/payments/store.ts'
import { createLogService } from '../features/reported-payments/service.ts'
import { feedbackKind } from '../features/reputation/feedback.ts'
import { portfoliosOf, reviewOf, reviewsOf } from '../features/reputation/history.ts'
import { createReputationService } from '../features/reputation/service.ts'
import { apiAccessPlans, hasPlan, premiumUntilOf, quotaOf } from '../features/subscriptions/access.ts'
import { createSubscriptionsService } from '../features/subscriptions/service.ts'
import { createWebhooksService } from '../features/webhooks/service.ts'
import { createCarriedWithdrawals } from '../features/withdrawals/carried.ts'
import { withdrawalKind } from '../features/withdrawals/intent-kind.ts'
import { createWithdrawalsService } from '../features/withdrawals/service.ts'
import { allInvariants } from '../invariants.ts'
import { createReconciler } from '../money/audit/reconciler.ts'
import { createAccountOf } from '../money/books/accounts.ts'
import { createMoneyEngine } from '../money/engine.ts'
import { createGasBudget } from '../money/limits/gas-budget.ts'
import { bindTreasury } from '../money/roles/roles.ts'
import { createSweep } from '../money/roles/sweep.ts'
import type { Queryable } from '../platform/db/queryable.ts'
import { createCursors } from '../platform/http/cursor.ts'
import { createIdempotency } from '../platform/http/once/idempotency.ts'
import { createIdSource } from '../platform/id/id.ts'
import { createScrub } from '../platform/log/scrub.ts'
import type { Notice } from '../platform/notices/notice.ts'
import { createQueue } from '../platform/queue/queue.ts'
import type { AppDeps } from './deps.ts'
import { createSealers } from './sealing.ts'
import { createTimeOfBooks } from './time-of-books.ts'

/** Every service, each given what it names in its deps: no feature knows another. */
export async function composeServices(deps: AppDeps) {
  const { config, db, log, wallClock, clock } = deps
  const chain = await bindTreasury(db, deps.chain)
  const { publicUrl } = config
  const newId = createIdSource(wallClock)
  const adminWallets = adminWalletsOf(deps)
  const isAdminWallet = (walletAddress: string) => adminWallets.has(walletAddress.toLowerCase())
  const queue = createQueue({
    db,
    connection: deps.connection,
    log,
    scrub: createScrub(config.secrets),
  })
  const idempotency = createIdempotency({ db, clock: wallClock })
  const storage = createRecordedStorage({ db, clock, storage: deps.storage })

  // Owners, and their notifications.
  const tokens = createTokens({ secret: config.sessionSecret, clock: wallClock })
  const csrfKey = config.sessionSecret
  const sessions = await createSessions({ db, clock: wallClock, tokens, csrfKey, isAdminWallet })
  const notifications = createNotificationsService({ db, clock, newId })
  const sealers = createSealers(config)
  const webhooks = createWebhooksService({
    db,
    // Receivers compare the time of a message with their own.
    clock: wallClock,
    newId,
    queue,
    // Notifications about a webhook go to the feed alone, so that no webhook reports on itself.
    notify: notifications.notify,
    sealer: sealers.webhooks,
    allowsLocal: config.mode === 'sandbox',
  })
  const notify = async (tx: Queryable, ...notices: Notice[]): Promise<void> => {
    await notifications.notify(tx, ...notices)
    await webhooks.enqueueWebhookEvents(tx, ...notices)
  }
  const alert = createAdminAlert({ db, log, notify, adminWallets })
  const streams = await createNotificationStreams({
    db,
    log,
    isLive: (principal) =>
      isKeySession(principal.sessionId) ? apiKeys.isLive(principal) : sessions.isLive(principal),
  })
  sessions.onChange((ownerId) => void streams.recheck(ownerId))
  const owners = createOwnersService({
    db,
    log,
    clock: wallClock,
    newId,
    kyc: deps.kyc,
    sealer: sealers.personalData,
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
    takesBareNonce: config.takesBareNonce,
  })

  // Rate limits stay on real time, and so does this one.
  const gasBudget = createGasBudget({
    db,
    clock: wallClock,
    alert,
    limits: config.gasBudget,
    isEnforced: config.rateLimitsEnforced,
  })
  // Money: what is decided becomes an intent, what the chain says comes back as events.
  const money = createMoneyEngine({
    db,
    chain,
    log,
    newId,
    alert,
    gasBudget,
    jobIdOf: findJobIdByKey,
    settings: config.chain
      ? { startBlock: BigInt(config.chain.escrowStartBlock), agreeingResponses: 3 }
      : { batchSize: 200 },
  })
  const { intents, roles } = money
  const followChain = async (): Promise<void> => void (await money.runOnce())
  const reconciler = createReconciler({
    db,
    chain,
    log,
    alert,
    invariants: allInvariants,
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
    watchWallet: money.watch,
    walletOf: owners.walletOf,
    companyNameOf: owners.companyNameOf,
    reviewsOf,
    portfoliosOf,
  })
  const x402 = await createPaymentsService({
    db,
    log,
    clock: wallClock,
    chainClock: clock,
    newId,
    port: deps.payments,
    intents,
    onEvent: money.onEvent,
    chain,
    followChain,
    publicUrl,
  })
  x402.payments.register(facilitatorPurpose(agents.agentOf))
  const facilitator = createFacilitator({
    db,
    port: deps.payments,
    payments: { ...x402, settle: x402.payments.settle },
    agentOf: agents.agentOf,
    treasury: () => roles.holderOf('treasury'),
  })
  const logs = createLogService({
    db,
    clock,
    newId,
    chain,
    queue,
    onEvent: money.onEvent,
    agentOf: agents.agentOf,
    ownerOfWallet: async (tx, wallet) =>
      (await owners.ownerIdOf(tx, wallet)) ?? (await agents.agentOf(tx, wallet))?.ownerId,
    addPaymentToTotals: agents.addPaymentToTotals,
  })
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
  const carried = createCarriedWithdrawals({
    db,
    chainId: chain.facts.chainId,
    accountOf: createAccountOf(chain.facts),
    intents,
    notify,
    firmBlock: () => readFirmBlock(deps),
  })
  money.onEvent('AuthorizationUsed', carried.overrule, carried.undo)
  intents.register(
    withdrawalKind({ db, clock, chain, wallets: deps.wallets, intents, carried, notify, alert }),
  )
  const heldPayments = createHeldPayments({
    db,
    clock,
    newId,
    intents,
    onEvent: money.onEvent,
    escrow: chain.escrow,
    notify,
    ownerOf: async (tx, wallet) =>
      (await agents.agentOf(tx, wallet))?.ownerId ?? (await owners.ownerIdOf(tx, wallet)),
  })
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
      const { quota } = await quotaNow(tx, ownerId)
      await agents.pauseAgentsBeyond(tx, ownerId, quota)
      await agents.resumeAgentsUpTo(tx, ownerId, quota)
    },
    setPremiumUntil: agents.setPremiumUntil,
  })
  const sweep = createSweep({ db, clock, chain, intents, roles })
  const apiKeys = createApiKeysService({
    db,
    clock: wallClock,
    newId,
    hasApiAccess: (queryable, ownerId) =>
      hasPlan(queryable, { ownerId, plans: apiAccessPlans, now: clock.now() }),
    hasEnterprise: (queryable, ownerId) =>
      hasPlan(queryable, { ownerId, plans: ['ENTERPRISE'], now: clock.now() }),
    areGuessesLimited: config.rateLimitsEnforced,
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
    addFileOwner,
    addJobToTotals: agents.addJobToTotals,
    isPaymentUnderWay: async (tx, jobId) => (await findLivePayment(tx, JOB_PURPOSE, jobId)) !== undefined,
    followChain,
    replayEvents: createReplay(chain.facts.chainId, () => jobHandlers),
    chainHealth: async () => chainHealthOf(await money.status()),
    cursors: createCursors(Type.Object({ createdAt: Type.String(), id: Type.String() }), {
      secret: config.sessionSecret,
      list: 'jobs',
    }),
    reviewOf,
    unpaidLimits: config.rateLimitsEnforced ? config.unpaidJobs : { perBuyer: 0, perSeller: 0 },
  })
  for (const kind of jobsIntentKinds({
    db,
    timeOfBooks: createTimeOfBooks(deps, money),
    clock,
    newId,
    notify,
    escrow: chain.escrow,
    reader: chain.reader,
    intents,
  }))
    intents.register(kind)
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
  const { followPayout } = reputation
  const { addJobToTotals, addDisputeToTotals } = agents
  const jobHandlers = jobsEventHandlers({
    newId,
    notify,
    intents,
    addJobToTotals,
    addDisputeToTotals,
    followPayout,
    onAmlFlagged: (tx, job) => admin.aml.raise(tx, job),
  })
  for (const { name, handle, undo } of jobHandlers) {
    money.onEvent(name, handle, undo)
  }
  x402.payments.register(jobPaymentPurpose({ clock, newId, notify, addJobToTotals, followPayout }))
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
    readArbiter: () => roles.holderOf('arbiter'),
    listWithdrawals: withdrawals.listAll,
    ...createHealthReport({ money, queue, reader: chain.reader }),
    engine: money,
    queue,
    reader: chain.reader,
    cursorSecret: config.sessionSecret,
  })
  intents.register(admin.rulingKind)
  money.onEvent('RoleChanged', admin.roleAudit.changed, admin.roleAudit.takenBack)

  return {
    newId,
    queue,
    idempotency,
    storage,
    sessions,
    notifications,
    webhooks,
    notify,
    streams,
    owners,
    auth,
    money,
    gasBudget,
    reconciler,
    agents,
    x402,
    facilitator,
    logs,
    withdrawals,
    carried,
    heldPayments,
    earnings,
    subscriptions,
    sweep,
    apiKeys,
    jobs,
    reputation,
    admin,
  }
}

export type Services = Awaited<ReturnType<typeof composeServices>>

/** The sandbox's chain has no forks, and its clock goes on while no block is mined. */
async function readFirmBlock({ chain, sandbox, clock }: AppDeps) {
  const safe = await chain.reader.getBlock('safe')
  return safe && { number: safe.number, time: sandbox?.chain ? clock.now() : new Date(safe.timestamp * 1000) }
}

/** In the sandbox one test wallet may look after the marketplace too. */
function adminWalletsOf({ config, sandbox }: AppDeps): ReadonlySet<string> {
  const testWallets = sandbox?.chain?.testWallets.filter(({ role }) => role === 'admin') ?? []
  return new Set([...config.adminWallets, ...testWallets.map(({ address }) => address.toLowerCase())])
}
