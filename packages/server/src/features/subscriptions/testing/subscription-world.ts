import {
  getFees,
  getNonce,
  prepareTransfer,
  sendRawTransaction,
  signTransaction,
} from '@agent-marketplace/chain'
import { priceForQuota, type SpendPermission, type SubscriptionPlan } from '@agent-marketplace/contract'
import { pino } from 'pino'
import { type Address, type Hex, maxUint48 } from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { plugIntoMoney } from '../../../house/plug-in.ts'
import { checkInvariants, moneyInvariants } from '../../../money/audit/invariants.ts'
import { createMoneyEngine, type MoneyEngine } from '../../../money/engine.ts'
import type { Faults } from '../../../money/faults.ts'
import type { ChaosChain } from '../../../money/testing/chaos-chain.ts'
import type { Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createIdSource } from '../../../platform/id/id.ts'
import type { PreparedCall } from '../../../ports/chain/port.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { createNotificationsService } from '../../notifications/service.ts'
import { quotaOf } from '../access.ts'
import { subscriptionInvariants } from '../invariants.ts'
import { readPermission } from '../permission.ts'
import { createSubscriptionsService, type SubscriptionsService } from '../service.ts'

export const DAY = 24 * 3600
export const PERIOD = 30 * DAY

export interface Worker {
  engine: MoneyEngine
  subscriptions: SubscriptionsService
}

export interface SubscribeBody {
  plan: SubscriptionPlan
  agentQuota?: number
  permission: SpendPermission
  signature: Hex
}

export type SubscriptionWorld = Awaited<ReturnType<typeof createSubscriptionWorld>>
export type Subscriber = Awaited<ReturnType<SubscriptionWorld['newSubscriber']>>

/** Subscribers with smart accounts as wallets make them, and as many workers as a test likes. Business time is the chain's. */
export async function createSubscriptionWorld({
  db,
  chaos,
  waitMs = PATIENCE_MS,
}: {
  db: Database
  chaos: ChaosChain
  /** How long an order waits for its first payment. */
  waitMs?: number
}) {
  const { chain, client } = chaos
  const manager = chaos.addresses.spendPermissionManager
  const clock = { now: () => new Date(chaos.now() * 1000) }
  const newId = createIdSource({ now: () => new Date() })
  const log = pino({ level: 'silent' })
  const notifications = createNotificationsService({ db, clock, newId })
  const alarms: string[] = []
  const alert = (message: string) => void alarms.push(message)
  const premium = new Map<string, Date | null>()
  /** The quota that the agents of an owner were last fitted to. */
  const fitted = new Map<string, number>()
  let owners = 0
  let salts = 0

  /** A worker as a process has it: throwing one away and starting another is a restart. */
  const startWorker = (faults?: Faults): Worker => {
    const engine = createMoneyEngine({
      db,
      chain,
      log,
      newId,
      alert,
      ...(faults ? { faults } : {}),
      settings: {
        batchSize: 10,
        leaseSeconds: 0,
        resendAfterSeconds: 0,
        replaceAfterSeconds: 600,
        pollMs: 5,
      },
    })
    const subscriptions = createSubscriptionsService({
      db,
      log,
      clock,
      newId,
      chain,
      alert,
      intents: engine.intents,
      notify: notifications.notify,
      walletOf: async (queryable, ownerId) => {
        const { wallet } = await queryable.one<{ wallet: string }>(
          sql`select wallet_address as wallet from owners where id = ${ownerId}`,
        )
        return wallet
      },
      fitAgentsToQuota: async (tx, ownerId) =>
        void fitted.set(ownerId, (await quotaOf(tx, ownerId, clock.now())).quota),
      setPremiumUntil: async (_tx, ownerId, until) => void premium.set(ownerId, until),
      settlementWaitMs: waitMs,
    })
    plugIntoMoney(engine, subscriptions)
    return { engine, subscriptions }
  }

  const execute = async (account: PrivateKeyAccount, call: PreparedCall): Promise<void> => {
    const { rawTransaction } = await signTransaction(account, {
      call,
      chainId: chain.facts.chainId,
      nonce: await getNonce(client, { address: account.address, blockTag: 'pending' }),
      gas: 300_000n,
      fees: await getFees(client),
    })
    const { status } = await sendRawTransaction(client, { rawTransaction })
    if (status !== 'accepted') throw new Error(`the chain says ${status}`)
  }

  // The faucet counts its nonces itself, so it gives once, to a bank.
  const bank = privateKeyToAccount(`0x${'b4'.repeat(32)}`)
  await chaos.faucet({ address: bank.address, amountMicro: 10n ** 15n })
  const fund = (to: Address, amountMicro: bigint) =>
    execute(bank, prepareTransfer({ usdc: chaos.addresses.usdc, to, amountMicro }))

  const permissionOf = (account: string, changes: Partial<SpendPermission> = {}): SpendPermission => {
    salts += 1
    return {
      account,
      spender: chain.facts.spender,
      token: chain.facts.contracts.usdc,
      allowance: priceForQuota(10).toString(),
      period: PERIOD,
      start: chaos.now(),
      end: Number(maxUint48),
      salt: String(salts),
      extraData: '0x',
      ...changes,
    }
  }

  return {
    alarms,
    premium,
    fitted,
    clock,
    chain,
    manager,
    startWorker,
    execute,
    fund,
    permissionOf,

    /** An owner signed in with a plain wallet who owns a smart account, not deployed yet, with this much in it. */
    async newSubscriber(balanceMicro = 1_000_000_000n, { isPullable = true } = {}) {
      owners += 1
      const key = privateKeyToAccount(`0x${(0xfade_0000n + BigInt(owners)).toString(16).padStart(64, '0')}`)
      const account = await toCoinbaseSmartAccount({
        client,
        owners: isPullable ? [key, manager] : [key],
        version: '1.1',
      })
      if (balanceMicro > 0n) await fund(account.address, balanceMicro)
      const ownerId = newId()
      await db.run(sql`
        insert into owners (id, wallet_address, created_at) values (${ownerId}, ${key.address}, ${clock.now()})`)
      const sign = (permission: SpendPermission): Promise<Hex> => {
        const { types, ...typedData } = chain.spendPermissions.typedDataOf(
          readPermission(permission, chain.checksumAddress),
        )
        const { EIP712Domain: _domain, ...own } = types
        return account.signTypedData({ ...typedData, types: own })
      }
      return {
        ownerId,
        key,
        account,
        sign,
        /** A signed body, ready to post. */
        async body(
          changes: Partial<SpendPermission> = {},
          { plan = 'AGENT_QUOTA', agentQuota = 10 }: { plan?: SubscriptionPlan; agentQuota?: number } = {},
        ): Promise<SubscribeBody> {
          const permission = permissionOf(account.address, changes)
          const quota = plan === 'AGENT_QUOTA' ? { agentQuota } : {}
          return { plan, ...quota, permission, signature: await sign(permission) }
        },
      }
    },

    /** The rules of the money engine and of subscriptions that do not hold; none in good times. */
    findBreaches: () => checkInvariants({ db, chain }, [...moneyInvariants, ...subscriptionInvariants]),

    /** What the chain and the journal say was taken from the account. */
    async pulledFrom(account: string): Promise<{ chain: bigint; journal: bigint }> {
      const { journal } = await db.one<{ journal: bigint }>(sql`
        select coalesce(-sum(p.amount_micro), 0) as journal from journal_postings p
        where p.account = ${`wallet:${account.toLowerCase()}`}`)
      let onChain = 0n
      for (const event of await usesOf(chaos)) {
        if (event.account.toLowerCase() === account.toLowerCase()) onChain += event.amountMicro
      }
      return { chain: onChain, journal }
    },
  }
}

/** Every pull that stands on the chain. */
export async function usesOf({ chain }: Pick<ChaosChain, 'chain'>) {
  const head = await chain.reader.getBlock('latest')
  const events = await chain.reader.getEvents({ fromBlock: 0n, toBlock: head?.number ?? 0n })
  return events.filter((event) => event.name === 'SpendPermissionUsed')
}

/** Ends the engine at a point, the first time that it is reached. */
export function crashAt(point: string): Faults {
  let isDone = false
  return {
    reach(reached) {
      if (reached !== point || isDone) return
      isDone = true
      throw new Error(`crashed at ${point}`)
    },
  }
}
