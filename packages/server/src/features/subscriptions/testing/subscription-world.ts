import {
  getFees,
  getNonce,
  sendRawTransaction,
  signTransaction,
  type TransactionSigner,
} from '@agent-marketplace/chain'
import { pino } from 'pino'
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
import { subscriptionInvariants } from '../invariants.ts'
import { createSubscriptionsService, type SubscriptionsService } from '../service.ts'
import { pulledFrom } from './pulled-from.ts'
import { createSubscribers } from './subscribers.ts'

export interface Worker {
  engine: MoneyEngine
  subscriptions: SubscriptionsService
}

export type SubscriptionWorld = Awaited<ReturnType<typeof createSubscriptionWorld>>
export type Subscriber = Awaited<ReturnType<SubscriptionWorld['newSubscriber']>>

/** Subscribers, and as many workers without HTTP as a test likes to kill. Business time is the chain's. */
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
  const clock = { now: () => new Date(chaos.now() * 1000) }
  const newId = createIdSource({ now: () => new Date() })
  const log = pino({ level: 'silent' })
  const notifications = createNotificationsService({ db, clock, newId })
  const alert = () => undefined

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
      fitAgentsToQuota: async () => undefined,
      setPremiumUntil: async () => undefined,
      settlementWaitMs: waitMs,
    })
    plugIntoMoney(engine, subscriptions)
    return { engine, subscriptions }
  }

  /** Unlike that of a world it does not wait for the block: some tests mine later. */
  const execute = async (account: TransactionSigner, call: PreparedCall): Promise<void> => {
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

  const subscribers = await createSubscribers({
    chaos,
    execute,
    async newOwner({ address }) {
      const ownerId = newId()
      await db.run(sql`
        insert into owners (id, wallet_address, created_at) values (${ownerId}, ${address}, ${clock.now()})`)
      return { ownerId }
    },
  })

  return {
    ...subscribers,
    clock,
    chain,
    startWorker,
    execute,

    /** The rules of the money engine and of subscriptions that do not hold; none in good times. */
    findBreaches: () => checkInvariants({ db, chain }, [...moneyInvariants, ...subscriptionInvariants]),

    pulledFrom: (account: string) => pulledFrom({ db, chaos }, account),
  }
}
