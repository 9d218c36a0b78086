import {
  checksumAddress,
  getFees,
  getNonce,
  prepareTransfer,
  sendRawTransaction,
  signTransaction,
  usdcAbi,
} from '@agent-marketplace/chain'
import { pino } from 'pino'
import { encodeFunctionData } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { checkInvariants, moneyInvariants } from '../../../money/audit/invariants.ts'
import { createAccountOf } from '../../../money/books/accounts.ts'
import { createMoneyEngine } from '../../../money/engine.ts'
import type { FaultPoint, Faults } from '../../../money/faults.ts'
import type { Guardrails } from '../../../money/limits/guardrails.ts'
import { startChaosChain } from '../../../money/testing/chaos-chain.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createIdempotency } from '../../../platform/http/once/idempotency.ts'
import { createIdSource } from '../../../platform/id/id.ts'
import type { PreparedCall } from '../../../ports/chain/port.ts'
import { createEmbeddedWallets } from '../../../ports/wallets/embedded.ts'
import { createSealedKeyStore } from '../../../ports/wallets/sealed-key-store.ts'
import { createTestDatabase } from '../../../testing/test-database.ts'
import { createTestHttp, tokenFor } from '../../../testing/test-http.ts'
import { createNotificationsService } from '../../notifications/service.ts'
import { createCarriedWithdrawals } from '../carried.ts'
import { withdrawalKind } from '../intent-kind.ts'
import { withdrawalInvariants } from '../invariants.ts'
import { withdrawalsRoutes } from '../routes.ts'
import { createWithdrawalsService, type WithdrawalAgent } from '../service.ts'
import { createSigning } from '../signing.ts'

/** Refunds are tested with the jobs that they are for. */
const refuse = async (): Promise<never> => {
  throw new Error('there are no jobs here')
}
const noRefunds = { confirmed: refuse, failed: refuse, reopened: refuse }

export const noGuardrails: Guardrails = { perTxLimitMicro: null, sessionCapMicro: null, allowedSkills: [] }

/** Withdrawals on a real database, a real EVM and real wallets. The engine works only when a test says so. */
export async function startWithdrawals() {
  const [database, chaos] = await Promise.all([createTestDatabase({ poolSize: 25 }), startChaosChain()])
  const { db } = database
  const { chain, roles } = chaos
  const log = pino({ level: 'silent' })
  const clock = { now: () => new Date(chaos.now() * 1000) }
  const newId = createIdSource({ now: () => new Date() })
  const notifications = createNotificationsService({ db, clock, newId })
  const { usdc, contracts, chainId } = chain.facts
  const wallets = createEmbeddedWallets({
    masterKeys: { current: { id: 'k1', key: new Uint8Array(32).fill(7) } },
    store: createSealedKeyStore(db),
    token: { name: usdc.name, version: usdc.version, chainId, verifyingContract: contracts.usdc },
  })
  const alarms: string[] = []

  // The faucet counts its nonces itself, and the same key is the token's owner here: so it gives once, to a bank.
  const bank = privateKeyToAccount(`0x${'b4'.repeat(32)}`)
  await chaos.faucet({ address: bank.address, amountMicro: 20_000_000_000n })
  const execute = async (account: PrivateKeyAccount, call: PreparedCall): Promise<void> => {
    const { rawTransaction } = await signTransaction(account, {
      call,
      chainId,
      nonce: await getNonce(chaos.client, { address: account.address, blockTag: 'pending' }),
      gas: 400_000n,
      fees: await getFees(chaos.client),
    })
    const { status } = await sendRawTransaction(chaos.client, { rawTransaction })
    if (status !== 'accepted') throw new Error(`the chain says ${status}`)
  }

  const fund = (address: string, amountMicro: bigint): Promise<void> => {
    const to = checksumAddress(address)
    return execute(bank, prepareTransfer({ usdc: chaos.addresses.usdc, to, amountMicro }))
  }

  /** A worker as a process has it: throwing one away and starting another is a restart. */
  const startEngine = (faults?: Faults, kindClock: Clock = clock) => {
    const engine = createMoneyEngine({
      db,
      chain,
      log,
      newId,
      alert: (message) => void alarms.push(message),
      ...(faults ? { faults } : {}),
      settings: { leaseSeconds: 0, resendAfterSeconds: 0, replaceAfterSeconds: 600 },
    })
    const { intents } = engine
    const alert = (message: string) => void alarms.push(message)
    const { notify } = notifications
    const accountOf = createAccountOf(chain.facts)
    const firmBlock = async () => {
      const safe = await chain.reader.getBlock('safe')
      return safe && { number: safe.number, time: new Date(safe.timestamp * 1000) }
    }
    const outcomes = { accountOf, notify, refunds: noRefunds }
    const carried = createCarriedWithdrawals({ ...outcomes, db, chainId, intents, firmBlock })
    engine.onEvent('AuthorizationUsed', carried.overrule, carried.undo)
    intents.register(
      withdrawalKind({
        ...outcomes,
        db,
        clock: kindClock,
        chain,
        sign: createSigning({ db, wallets, limitsOf: async () => ({}) }),
        intents,
        carried,
        alert,
      }),
    )
    return { ...engine, followUp: carried.followUp }
  }

  const agents = new Map<string, WithdrawalAgent & { ownerId: string }>()
  const engine = startEngine()
  const withdrawals = createWithdrawalsService({
    db,
    clock,
    newId,
    chain,
    intents: engine.intents,
    notify: notifications.notify,
    agentOf: async (_db, agentId, ownerId) => {
      const agent = agents.get(agentId)
      return agent?.ownerId === ownerId ? agent : undefined
    },
    walletOf: async (queryable, ownerId) => {
      const { wallet } = await queryable.one<{ wallet: string }>(
        sql`select wallet_address as wallet from owners where id = ${ownerId}`,
      )
      return wallet
    },
  })
  const idempotency = createIdempotency({ db, clock: { now: () => new Date() } })
  const http = await createTestHttp(withdrawalsRoutes({ withdrawals }), {
    db,
    idempotency,
    rateLimitsEnforced: false,
  })
  let owners = 0

  return {
    db,
    chaos,
    clock,
    engine,
    alarms,
    startEngine,
    app: http.app,

    async newOwner() {
      owners += 1
      const ownerId = newId()
      const { address } = privateKeyToAccount(
        `0x${(0xabc_000n + BigInt(owners)).toString(16).padStart(64, '0')}`,
      )
      await db.run(sql`
        insert into owners (id, wallet_address, created_at) values (${ownerId}, ${address}, ${clock.now()})`)
      const token = tokenFor({ ownerId, kycStatus: 'VERIFIED' })
      return { ownerId, address, headers: { authorization: `Bearer ${token}` } }
    },

    /** An agent whose wallet holds this much. */
    async newAgent(ownerId: string, balanceMicro: bigint, guardrails: Partial<Guardrails> = {}) {
      const id = newId()
      const { address, walletId } = await wallets.provision({ agentId: id, limits: {} })
      const agent = { id, ownerId, name: 'Ledger Lark', walletAddress: address, walletId }
      agents.set(id, { ...agent, guardrails: { ...noGuardrails, ...guardrails } })
      await db.transaction((tx) => engine.watch(tx, address))
      if (balanceMicro > 0n) await fund(address, balanceMicro)
      return agent
    },

    fund,
    bank,
    execute,

    limitWallet: (walletId: string, perTxLimitMicro: bigint) =>
      wallets.updateLimits({ walletId, limits: { perTxLimitMicro } }),

    balanceOf: (address: string) => chain.usdc.balanceOf(address),

    withdraw(headers: Record<string, string>, agentId: string, amount: bigint | string) {
      const payload = { agentId, amount: String(amount) }
      return http.app.inject({ method: 'POST', url: '/api/owners/withdrawals', headers, payload })
    },

    read: async (headers: Record<string, string>, id: string) =>
      (await http.app.inject({ method: 'GET', url: `/api/owners/withdrawals/${id}`, headers })).json().data,

    /** The issuer of USDC does something to it. */
    async issuer(
      call:
        | { functionName: 'pause' | 'unpause' }
        | { functionName: 'blacklist' | 'unBlacklist'; args: [`0x${string}`] },
    ) {
      const data =
        'args' in call
          ? encodeFunctionData({ abi: usdcAbi, functionName: call.functionName, args: call.args })
          : encodeFunctionData({ abi: usdcAbi, functionName: call.functionName })
      await execute(roles.faucet, { to: chaos.addresses.usdc, data, value: 0n })
    },

    told: (ownerId: string) =>
      db.rows<{ type: string; message: string }>(
        sql`select type, message from notifications where owner_id = ${ownerId} order by seq`,
      ),

    journalOf: (agentId: string) =>
      db.rows<{ account: string; amountMicro: bigint }>(sql`
        select p.account, sum(p.amount_micro) as "amountMicro"
        from journal_postings p join journal_entries e on e.id = p.entry_id
        where e.agent_id = ${agentId} group by p.account order by sum(p.amount_micro)`),

    /** Every rule of the money engine and of withdrawals that does not hold. */
    breaches: () => checkInvariants({ db, chain }, [...moneyInvariants, ...withdrawalInvariants]),

    async close() {
      await http.close()
      await database.close()
      await chaos.close()
    },
  }
}

/** Ends the engine at a point, the first time that it is reached. */
export function crashAt(point: FaultPoint): Faults {
  let isDone = false
  return {
    reach(reached) {
      if (reached !== point || isDone) return
      isDone = true
      throw new Error(`crashed at ${point}`)
    },
  }
}
