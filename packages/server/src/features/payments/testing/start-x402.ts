import type { AddressInfo } from 'node:net'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { pino } from 'pino'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { AgentOf } from '../../../house/agents.ts'
import { plugIntoMoney } from '../../../house/plug-in.ts'
import { createMoneyEngine } from '../../../money/engine.ts'
import type { Faults } from '../../../money/faults.ts'
import { createGasBudget } from '../../../money/limits/gas-budget.ts'
import { type Clock, wallClock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createIdSource } from '../../../platform/id/id.ts'
import type { EmbeddedChain } from '../../../ports/chain/embedded.ts'
import { createSandboxKyc } from '../../../ports/kyc/sandbox.ts'
import { createInProcessPayments } from '../../../ports/payments/in-process.ts'
import type { Offer, Payment, PaymentsPort } from '../../../ports/payments/port.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { newWallet } from '../../../testing/sign-in.ts'
import { createTestDatabase } from '../../../testing/test-database.ts'
import { testSealer } from '../../../testing/test-sealer.ts'
import { facilitatorRoutes } from '../../facilitator/routes.ts'
import { createFacilitator, facilitatorPurpose } from '../../facilitator/service.ts'
import { kycFeeRoutes } from '../../kyc-fee/routes.ts'
import { createKycFee } from '../../kyc-fee/service.ts'
import { createNotificationsService } from '../../notifications/service.ts'
import { createOwnersService } from '../../owners/service.ts'
import { createPaymentsService } from '../service.ts'
import { serveRoutes } from './serve-routes.ts'
import { headerOf } from './sign-payment.ts'

export const log = pino({ level: 'silent' })
export const newId = createIdSource(wallClock)

export interface X402Options {
  chain: EmbeddedChain
  /** In process unless another one is given. */
  port?: PaymentsPort
  db?: Database
  faults?: Faults
  isWorking?: boolean
  settlementWaitMs?: number
  /** Real time unless another one is given. */
  clock?: Clock
  /** The chain's unless another one is given. */
  chainClock?: Clock
  agentOf?: AgentOf
  gasLimits?: { ownerGas: bigint; platformGas: bigint }
  /** Lets the engine read the chain unless another one is given. */
  followChain?: () => Promise<void>
}

/** The smallest real service with x402: PostgreSQL, the money engine, an HTTP server and the chain that is given. */
export async function startX402(options: X402Options) {
  const { chain: embedded, isWorking = true, settlementWaitMs = PATIENCE_MS } = options
  const { chain, client, sandbox } = embedded
  const database = options.db ? undefined : await createTestDatabase()
  const db = options.db ?? (database as NonNullable<typeof database>).db
  const faults = options.faults ? { faults: options.faults } : {}
  const engine = createMoneyEngine({
    db,
    chain,
    log,
    newId,
    alert: () => {},
    gasBudget: createGasBudget({
      db,
      clock: wallClock,
      alert: () => {},
      limits: options.gasLimits ?? { ownerGas: 100_000_000n, platformGas: 100_000_000n },
      isEnforced: true,
    }),
    settings: { pollMs: 50, resendAfterSeconds: 0 },
    ...faults,
  })
  const port =
    options.port ??
    createInProcessPayments({
      client,
      operator: chain.facts.operator,
      now: sandbox.now,
      timeOfChain: sandbox.now,
    })
  const publicUrl = new URL('http://localhost:4000')
  const treasury = () => engine.roles.holderOf('treasury')
  const x402 = await createPaymentsService({
    db,
    clock: options.clock ?? wallClock,
    chainClock: options.chainClock ?? { now: sandbox.now },
    newId,
    port,
    intents: engine.intents,
    chain,
    followChain: options.followChain ?? (async () => void (await engine.runOnce())),
    publicUrl,
    log,
    settlementWaitMs,
  })
  plugIntoMoney(engine, x402.payments)
  const agentOf = options.agentOf ?? (async () => undefined)
  x402.payments.register(facilitatorPurpose(agentOf))
  const facilitator = createFacilitator({
    db,
    port,
    payments: { ...x402, settle: x402.payments.settle },
    agentOf,
    treasury,
    settlementWaitMs,
  })
  const notifications = createNotificationsService({ db, clock: wallClock, newId })
  const owners = createOwnersService({
    db,
    log,
    clock: wallClock,
    newId,
    kyc: createSandboxKyc({ publicUrl, webhookSecret: 'secret', clock: wallClock }),
    sealer: testSealer,
    isAdminWallet: () => false,
    notify: notifications.notify,
    forgetOwner: () => {},
  })
  const kycFee = createKycFee({
    db,
    paidCalls: x402.paidCalls,
    treasury,
    ownerOf: async (queryable, ownerId) => (await owners.accounts.find(queryable, ownerId)).owner,
    markFeePaid: (tx, ownerId, feePaid) => owners.setKyc(tx, ownerId, { feePaid }),
    notify: notifications.notify,
  })
  x402.payments.register(kycFee.purpose)
  const routes = [
    ...facilitatorRoutes({
      facilitator,
      listPaidResources: async ({ limit, offset }) => ({
        total: 1,
        resources: [
          {
            url: 'http://localhost:4000/api/jobs',
            description: 'Monthly reconciliation by Ledger Lark',
            serviceName: 'Monthly reconciliation',
            tags: ['finance'],
            offer: x402.offerFor({ payTo: chain.facts.contracts.treasury, amountMicro: 2_500_000n }),
            updatedAt: new Date('2026-11-15T12:00:00Z'),
          },
        ].slice(offset, offset + limit),
      }),
    }),
    ...kycFeeRoutes({ kycFee }),
  ]
  const http = await serveRoutes(db, routes)
  await engine.start({ isWorking })
  await http.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`

  return {
    url,
    http,
    db,
    chain,
    engine,
    port,
    ...x402,
    facilitator,

    async newOwner(): Promise<string> {
      const { owner } = await owners.accounts.findOrCreate(db, newWallet().address)
      return owner.id
    },

    /** A plain wallet with USDC and no gas. */
    async newBuyer(amountMicro = 50_000_000n): Promise<PrivateKeyAccount> {
      const wallet = newWallet()
      if (amountMicro > 0n) await sandbox.faucet({ address: wallet.address, amountMicro })
      return wallet
    },

    /** The stock client, which asks, signs and pays. */
    payFee: (ownerId: string, payer: ConstructorParameters<typeof ExactEvmScheme>[0]) => {
      const stock = new x402Client().register('eip155:*', new ExactEvmScheme(payer)).setSpendControls({
        maxAmountPerPayment: '$100',
        allowedAssets: [{ network: port.network, asset: chain.facts.contracts.usdc }],
      })
      return wrapFetchWithPayment(fetch, stock)(`${url}/api/owners/kyc/fee`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ownerId}` },
      })
    },

    /** One call with a payment of the test's own making, or with none. */
    callFee: (ownerId: string, payment?: { payment: Payment; offer: Offer }) =>
      http.inject({
        method: 'POST',
        url: '/api/owners/kyc/fee',
        headers: { authorization: `Bearer ${ownerId}`, ...(payment ? headerOf(payment) : {}) },
      }),

    journalOf: (kind: string) =>
      db.rows<{ account: string; amount_micro: bigint; tx_hash: string; intent_id: string | null }>(sql`
        select p.account, p.amount_micro, e.tx_hash, e.intent_id
        from journal_entries e join journal_postings p on p.entry_id = e.id
        where e.kind = ${kind} order by e.seq, p.amount_micro`),

    async close() {
      await http.close()
      await engine.stop()
      await x402.payments.close()
      await database?.close()
    },
  }
}

export type TestX402 = Awaited<ReturnType<typeof startX402>>
