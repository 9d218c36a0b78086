import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  getFees,
  getNonce,
  type PreparedCall,
  sendRawTransaction,
  signTransaction,
} from '@agent-marketplace/chain'
import type { CustomOrders } from '@agent-marketplace/contract'
import { pino } from 'pino'
import { Type } from 'typebox'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createHappenings, whenHappens } from '../../../house/happenings.ts'
import { plugIntoMoney } from '../../../house/plug-in.ts'
import { prepareSteps } from '../../../house/steps.ts'
import { checkInvariants, moneyInvariants } from '../../../money/audit/invariants.ts'
import { createAccountOf } from '../../../money/books/accounts.ts'
import { createMoneyEngine } from '../../../money/engine.ts'
import { createGasBudget } from '../../../money/limits/gas-budget.ts'
import { startChaosChain } from '../../../money/testing/chaos-chain.ts'
import { wallClock } from '../../../platform/clock/clock.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createCursors } from '../../../platform/http/cursor.ts'
import { createIdempotency } from '../../../platform/http/once/idempotency.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { createIdSource } from '../../../platform/id/id.ts'
import type { ChainPort } from '../../../ports/chain/port.ts'
import { createInProcessPayments } from '../../../ports/payments/in-process.ts'
import { openFolderStorage } from '../../../ports/storage/folder.ts'
import { createEmbeddedWallets } from '../../../ports/wallets/embedded.ts'
import type { WalletsPort } from '../../../ports/wallets/port.ts'
import { createSealedKeyStore } from '../../../ports/wallets/sealed-key-store.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { newWallet } from '../../../testing/sign-in.ts'
import { createTestDatabase } from '../../../testing/test-database.ts'
import { createTestHttp, tokenFor } from '../../../testing/test-http.ts'
import { createUndelivered } from '../../agents/lifecycle/undelivered.ts'
import { findOwnFacts } from '../../agents/reading/facts.ts'
import { presentReputation } from '../../agents/reading/present.ts'
import { findAgentsByWallet } from '../../agents/store.ts'
import * as totals from '../../agents/totals.ts'
import { addFileOwner } from '../../files/file-owners.ts'
import { createRecordedStorage } from '../../files/recorded-storage.ts'
import { heldPaymentsInvariants } from '../../held-payments/invariants.ts'
import { createHeldPayments } from '../../held-payments/service.ts'
import { createNotificationsService } from '../../notifications/service.ts'
import { findOwner, findOwnerByWallet } from '../../owners/store.ts'
import { createPaymentsService } from '../../payments/service.ts'
import { findLivePayment } from '../../payments/store.ts'
import { flowHandler } from '../../reputation/graph/flows.ts'
import { reviewOf } from '../../reputation/history.ts'
import { reputationInvariants } from '../../reputation/invariants.ts'
import { feedbackPlaceOf } from '../../reputation/on-chain/documents.ts'
import { feedbackKinds } from '../../reputation/on-chain/kinds.ts'
import { reputationRoutes } from '../../reputation/routes.ts'
import { createScores } from '../../reputation/score/scores.ts'
import { createReputationService } from '../../reputation/service.ts'
import { createCarriedWithdrawals } from '../../withdrawals/carried.ts'
import { withdrawalKind } from '../../withdrawals/intent-kind.ts'
import { withdrawalInvariants } from '../../withdrawals/invariants.ts'
import type { OutcomeDeps } from '../../withdrawals/outcomes.ts'
import { createWithdrawalsService } from '../../withdrawals/service.ts'
import { createSigning } from '../../withdrawals/signing.ts'
import type { ChainHealth } from '../chain/confirmation.ts'
import { createReplay, type FollowDeps, jobsEventHandlers } from '../chain/follow-chain.ts'
import { jobsIntentKinds } from '../chain/intent-kinds.ts'
import { jobsInvariants } from '../invariants.ts'
import { findJobIdByKey } from '../lifecycle/store.ts'
import { JOB_PURPOSE, jobPaymentPurpose } from '../payment/x402-payment.ts'
import { createRefundOutcomes } from '../recourse/refund-outcomes.ts'
import { jobsRoutes } from '../routes.ts'
import { createJobsService } from '../service.ts'
import { jobsTicks } from '../tasks.ts'

export const log = pino({ level: 'silent' })
const publicUrl = new URL('http://localhost:4000')
const registry = 'eip155:31337:registry'

/** What the service pays for one owner in an hour. */
export const OWNER_GAS = 1_000_000_000n

export interface TestOwner {
  ownerId: string
  wallet: PrivateKeyAccount
  headers: { authorization: string }
}

export interface TestAgent {
  id: string
  wallet: string
  owner: TestOwner
}

/**
 * The feature as the app composes it: real PostgreSQL, a real EVM that can reorganise, the money engine, x402 in
 * process and reviews. The business clock is the chain's until a test sets it wrong. The engine moves when a test says so.
 */
export async function startJobs({
  settlementWaitMs = PATIENCE_MS,
  unpaidLimits = { perBuyer: 0, perSeller: 0 },
  /** How the engine sees the chain. */
  seenAs = (chain: ChainPort): ChainPort => chain,
  /** Whether times wait for the books, as in the app, or for the chain alone. */
  areBooksAwaited = false,
  /** Who holds the keys of agents' wallets. */
  walletsAs = (wallets: WalletsPort): WalletsPort => wallets,
} = {}) {
  const [database, chaos] = await Promise.all([createTestDatabase({ poolSize: 30 }), startChaosChain()])
  const { db } = database
  const { chain } = chaos
  let aheadSeconds = 0
  let chainHealth: ChainHealth = 'WELL'
  const clock = { now: () => new Date((chaos.now() + aheadSeconds) * 1000) }
  const newId = createIdSource(wallClock)
  const directory = await mkdtemp(join(tmpdir(), 'test-jobs-'))
  const alarms: string[] = []
  const engine = createMoneyEngine({
    db,
    chain: seenAs(chain),
    log,
    newId,
    alert: (message) => void alarms.push(message),
    jobIdOf: findJobIdByKey,
    gasBudget: createGasBudget({
      db,
      clock: wallClock,
      alert: () => {},
      limits: { ownerGas: OWNER_GAS, platformGas: 1_000n * OWNER_GAS },
      isEnforced: true,
    }),
    settings: { resendAfterSeconds: 0, replaceAfterSeconds: 0, foreignAfterSeconds: 0 },
  })
  const { intents } = engine
  const { notify } = createNotificationsService({ db, clock, newId })
  const port = createInProcessPayments({
    client: chaos.client,
    operator: chain.facts.operator,
    now: clock.now,
  })
  const x402 = await createPaymentsService({
    db,
    log,
    clock: wallClock,
    chainClock: clock,
    newId,
    port,
    intents,
    chain,
    followChain: () => engine.runUntilIdle(),
    publicUrl,
    settlementWaitMs,
  })

  plugIntoMoney(engine, x402.payments)

  const { usdc, contracts, chainId } = chain.facts
  const embedded = createEmbeddedWallets({
    masterKeys: { current: { id: 'k1', key: new Uint8Array(32).fill(7) } },
    store: createSealedKeyStore(db),
    token: { name: usdc.name, version: usdc.version, chainId, verifyingContract: contracts.usdc },
  })
  const wallets = walletsAs(embedded)
  const walletOf = async (queryable: Queryable, ownerId: string) =>
    (await findOwner(queryable, ownerId)).wallet_address
  const followUndelivered = createUndelivered({ notify, onListingChange: () => {} })
  const withdrawals = createWithdrawalsService({
    db,
    clock,
    newId,
    chain,
    intents,
    notify,
    agentOf: findOwnFacts,
    walletOf,
  })
  const transferOutcomes = {
    accountOf: createAccountOf(chain.facts),
    notify,
    refunds: {
      confirmed: (tx, refund) => refundOutcomes.confirmed(tx, refund),
      failed: (tx, refund) => refundOutcomes.failed(tx, refund),
      reopened: (tx, refund) => refundOutcomes.reopened(tx, refund),
    },
  } satisfies OutcomeDeps
  const carried = createCarriedWithdrawals({
    ...transferOutcomes,
    db,
    chainId,
    intents,
    firmBlock: async () => {
      const safe = await chain.reader.getBlock('safe')
      return safe && { number: safe.number, time: new Date(safe.timestamp * 1000) }
    },
  })
  engine.onEvent('AuthorizationUsed', carried.overrule, carried.undo)
  const limitsOf = async (queryable: Queryable, { ownerId }: { ownerId: string }) => ({
    payees: [await walletOf(queryable, ownerId)],
  })
  intents.register(
    withdrawalKind({
      ...transferOutcomes,
      db,
      clock,
      chain,
      sign: createSigning({ db, wallets, limitsOf }),
      intents,
      carried,
      alert: (message) => void alarms.push(message),
    }),
  )

  const amlFlags: Parameters<FollowDeps['onAmlFlagged']>[1][] = []
  const { addJobToTotals } = totals
  const happenings = createHappenings()
  const followPayout: FollowDeps['followPayout'] = (tx, job, by) =>
    happenings.announce(tx, 'job.paidOut', { job, by })
  const eventHandlers = jobsEventHandlers({
    onAmlFlagged: async (_tx, flag) => void amlFlags.push(flag),
    newId,
    notify,
    intents,
    followPayout,
    ...totals,
  })
  const jobs = createJobsService({
    db,
    clock,
    newId,
    chain,
    intents,
    notify,
    storage: createRecordedStorage({ db, clock, storage: await openFolderStorage({ directory }) }),
    addFileOwner,
    addJobToTotals: totals.addJobToTotals,
    followUndelivered,
    prepareRefund: async ({ jobId, to, ...request }) => {
      const order = await prepareSteps(withdrawals.withdraw({ ...request, refund: { jobId, to } }))
      return async (tx) => ({ intentId: (await order(tx)).intent_id })
    },
    requirePayment: x402.paidCalls.requirePayment,
    isPaymentUnderWay: async (tx, jobId) => (await findLivePayment(tx, JOB_PURPOSE, jobId)) !== undefined,
    followChain: () => engine.runUntilIdle(),
    replayEvents: createReplay(chain.facts.chainId, eventHandlers),
    chainHealth: async () => chainHealth,
    settlementWaitMs,
    cursors: createCursors(Type.Object({ createdAt: Type.String(), id: Type.String() }), {
      secret: 'a secret for the cursors of a test',
      list: 'jobs',
    }),
    reviewOf,
    unpaidLimits,
  })
  const scores = createScores({ db, clock, intents, ...totals })
  const flows = flowHandler(chain)
  engine.onEvent(flows.name, flows.handle, flows.undo)
  const reputation = createReputationService({
    db,
    clock,
    newId,
    intents,
    notify,
    lockForReview: jobs.lockForReview,
    score: scores.score,
    reputationOf: async (wallet) => presentReputation(await agentRow(wallet), registry),
    agentIdOf: async (wallet) => (await agentRow(wallet)).id,
  })
  const timeOfBooks = async () =>
    areBooksAwaited ? ((await engine.bookedTime()) ?? new Date(0)) : new Date(chaos.now() * 1000)
  for (const kind of jobsIntentKinds({
    db,
    timeOfBooks,
    clock,
    newId,
    notify,
    escrow: chain.escrow,
    reader: chain.reader,
    intents,
  }))
    intents.register(kind)
  for (const kind of feedbackKinds({
    db,
    intents,
    registry: chain.reputation,
    place: feedbackPlaceOf(chain),
    publicUrl,
    addFeedbackToTotals: totals.addFeedbackToTotals,
  }))
    intents.register(kind)
  const refundOutcomes = createRefundOutcomes({
    clock,
    newId,
    notify,
    addJobToTotals,
    followPayout,
    followUndelivered,
  })
  happenings.register(whenHappens('job.paidOut', (tx, { job }) => reputation.followPayout(tx, job)))
  plugIntoMoney(engine, { eventHandlers })
  x402.payments.register(
    jobPaymentPurpose({ clock, newId, notify, addJobToTotals, followPayout, followUndelivered }),
  )
  const heldPayments = createHeldPayments({
    db,
    clock,
    newId,
    intents,
    escrow: chain.escrow,
    notify,
    ownerOf: async (tx, wallet) =>
      (await findAgentsByWallet(tx, [wallet.toLowerCase()]))[0]?.owner_id ??
      (await findOwnerByWallet(tx, wallet))?.id,
  })
  plugIntoMoney(engine, heldPayments)
  const { actions } = jobs
  const ticks = jobsTicks({ db, clock, newId, notify, actions, followUndelivered, timeOfBooks })

  const http = await createTestHttp(
    [
      ...jobsRoutes({
        jobs,
        chain,
        offerFor: x402.offerFor,
      }),
      ...reputationRoutes({ reputation }),
    ],
    { db, idempotency: createIdempotency({ db, clock: wallClock }), rateLimitsEnforced: false },
  )
  await engine.start({ isWorking: false })

  async function execute(from: PrivateKeyAccount, call: PreparedCall): Promise<`0x${string}`> {
    const { rawTransaction, hash } = await signTransaction(from, {
      call,
      chainId: chain.facts.chainId,
      nonce: await getNonce(chaos.client, { address: from.address, blockTag: 'pending' }),
      gas: 2_000_000n,
      fees: await getFees(chaos.client),
    })
    const { status } = await sendRawTransaction(chaos.client, { rawTransaction })
    const outcome = await chain.reader.getOutcome(hash)
    if (status !== 'accepted' || outcome.status !== 'success') throw new Error(`${status}, ${outcome.status}`)
    return hash
  }

  async function agentRow(wallet: string) {
    const [row] = await findAgentsByWallet(db, [wallet.toLowerCase()])
    if (!row) throw new Error(`no agent ${wallet}`)
    return row
  }

  return {
    db,
    chaos,
    chain,
    clock,
    engine,
    jobs,
    payments: x402.payments,
    scores,
    amlFlags,
    alarms,
    http: http.app,

    /** `address` where the owner is a smart account and `wallet` only its key. */
    async newOwner(principal: Partial<Principal> = {}, address?: string): Promise<TestOwner> {
      const ownerId = newId()
      const wallet = newWallet()
      await db.run(sql`
        insert into owners (id, wallet_address, created_at)
        values (${ownerId}, ${address ?? wallet.address}, ${clock.now()})`)
      const token = tokenFor({ sessionId: ownerId, ...principal, ownerId })
      return { ownerId, wallet, headers: { authorization: `Bearer ${token}` } }
    },

    async newAgent(
      owner: TestOwner,
      state: {
        approval?: string
        pausedBy?: string
        customOrders?: CustomOrders
        /** In micro-units, with their delivery times in hours. */
        services?: { id: string; priceMicro: string; deliveryHours: number }[]
        perTxLimitMicro?: bigint
      } = {},
    ): Promise<TestAgent> {
      const id = newId()
      const { address: wallet, walletId } = await wallets.provision({ agentId: id, limits: {} })
      await db.transaction((tx) => engine.watch(tx, wallet))
      await db.run(sql`
        insert into agents (id, owner_id, wallet_address, provider_wallet_id, name, description, category,
          category_key, skills, skill_keys, services, lowest_price_micro, x402_enabled, owner_active, approval_status,
          paused_by, custom_orders, per_tx_limit_micro, created_at)
        values (${id}, ${owner.ownerId}, ${wallet}, ${walletId}, 'Ledger Lark', 'Reconciles.', 'finance', 'finance', '{}',
          '{}', ${sql.json(servicesOf(state.services))}, 0, true, true, ${state.approval ?? 'APPROVED'},
          ${state.pausedBy ?? null}, ${state.customOrders ?? 'INSTANT'}, ${state.perTxLimitMicro ?? null}, ${clock.now()})`)
      return { id, wallet, owner }
    },

    agentRow,
    give: (wallet: string, amountMicro: bigint) =>
      chaos.faucet({ address: chain.checksumAddress(wallet), amountMicro }),
    advance: (seconds: number) => chaos.mine(seconds),
    /** The clock of this machine goes wrong; the chain's does not. */
    setClockAhead(seconds: number): void {
      aheadSeconds = seconds
    },

    setChainHealth(health: ChainHealth): void {
      chainHealth = health
    },

    async runTicks(): Promise<void> {
      for (const { handler } of ticks) await handler(new AbortController().signal)
      await heldPayments.runDue()
      await carried.followUp()
    },

    /** The rules of the money engine and of jobs that do not hold now: none. */
    breaches: () =>
      checkInvariants({ db, chain }, [
        ...moneyInvariants,
        ...jobsInvariants,
        ...heldPaymentsInvariants,
        ...withdrawalInvariants,
        ...reputationInvariants,
      ]),

    /** What somebody does on the chain without the service. */
    execute,

    /** All that an agent's wallet holds leaves it, past the service; the gas is paid by its owner. */
    async drain({ id, wallet, owner }: TestAgent, to: string): Promise<void> {
      const { provider_wallet_id: walletId } = await agentRow(wallet)
      await chaos.faucet({ address: owner.wallet.address, amountMicro: 1n })
      const authorization = {
        from: chain.checksumAddress(wallet),
        to: chain.checksumAddress(to),
        value: await chain.usdc.balanceOf(wallet),
        validAfter: 0n,
        validBefore: BigInt(chaos.now() + 3600),
        nonce: `0x${createHash('sha256').update(`drain:${id}:${newId()}`).digest('hex')}` as const,
      }
      const domain = { name: usdc.name, version: usdc.version, chainId, verifyingContract: contracts.usdc }
      const signature = await embedded.signTransfer({ walletId, authorization: { domain, ...authorization } })
      await execute(owner.wallet, chain.usdc.transferWithAuthorization({ authorization, signature }))
    },

    /** The engine goes round until the call has its response. */
    async whileWorking<T>(work: Promise<T>): Promise<T> {
      let isDone = false
      const done = work.finally(() => {
        isDone = true
      })
      done.catch(() => undefined)
      while (!isDone) await engine.runOnce()
      return done
    },

    async close(): Promise<void> {
      await http.close()
      await engine.stop()
      await x402.payments.close()
      await database.close()
      await chaos.close()
      await rm(directory, { recursive: true })
    },
  }
}

const servicesOf = (services: { id: string; priceMicro: string; deliveryHours: number }[] = []) =>
  services.map((service) => ({ ...service, name: service.id, x402Enabled: true }))

export type TestJobs = Awaited<ReturnType<typeof startJobs>>
