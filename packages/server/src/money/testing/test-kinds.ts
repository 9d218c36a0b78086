import {
  buildSafeTransaction,
  checksumAddress,
  getSafeState,
  prepareSafeExecution,
  type TransferAuthorization,
} from '@agent-marketplace/chain'
import { type Static, Type } from 'typebox'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Hex } from '../../ports/chain/port.ts'
import { walletAccount } from '../books/accounts.ts'
import { placeOf, postEntry } from '../books/journal.ts'
import type { Intent, IntentKind, Intents, Settlement } from '../intents/intents.ts'
import type { ChaosChain } from './chaos-chain.ts'

const HexString = Type.Unsafe<Hex>(Type.String({ pattern: '^0x[0-9a-fA-F]*$' }))
const Amount = Type.String({ pattern: '^[0-9]+$' })

export const Deposit = Type.Object({
  jobId: Type.String(),
  client: HexString,
  seller: HexString,
  agentWallet: HexString,
  amount: Amount,
  validBefore: Amount,
  signature: HexString,
})
export const Action = Type.Object({
  action: Type.Enum(['submit', 'release', 'refund', 'dispute', 'propose', 'accept', 'refundUndecided']),
  key: HexString,
})
export const Ruling = Type.Object({ key: HexString, sellerBps: Type.Integer() })
export const Transfer = Type.Object({
  from: HexString,
  to: HexString,
  value: Amount,
  validBefore: Amount,
  nonce: HexString,
  signature: HexString,
})

/** The test's own record of effects: a second effect of one intent breaks its primary key and so the whole transaction. */
export async function createEffectsTable(db: Database): Promise<void> {
  await db.run(sql`create table test_effects (key text primary key, status text not null)`)
}

const recordEffect = async (tx: Transaction, { key }: Intent, status: string): Promise<void> => {
  await tx.run(sql`insert into test_effects (key, status) values (${key}, ${status})`)
}

/** Handlers that every kind of the tests shares. */
const effects = {
  onSettled: (tx: Transaction, intent: Intent): Promise<void> => recordEffect(tx, intent, 'SETTLED'),
  onRejected: (tx: Transaction, intent: Intent): Promise<void> => recordEffect(tx, intent, 'REJECTED'),
  onReverted: async (tx: Transaction, { key }: Intent): Promise<void> => {
    await tx.run(sql`delete from test_effects where key = ${key}`)
  },
}

const GAS_LIMIT = 600_000n

function transferKind(
  { chain }: ChaosChain,
  kind: string,
  sender: 'operator' | 'spender',
): IntentKind<Static<typeof Transfer>> {
  return {
    kind,
    sender,
    payload: Transfer,
    finality: 'confirmed',
    gasLimit: GAS_LIMIT,
    amountMicro: ({ value }) => BigInt(value),
    prepare: async ({ from, to, value, validBefore, nonce, signature }) =>
      chain.usdc.transferWithAuthorization({
        authorization: authorizationOf({ from, to, value, validBefore, nonce }),
        signature,
      }),
    ...effects,
    async onSettled(tx, intent, payload, settlement: Settlement) {
      await recordEffect(tx, intent, 'SETTLED')
      for (const event of settlement.events) {
        if (event.name !== 'UsdcTransferred') continue
        await postEntry(tx, {
          kind,
          at: settlement.blockTime,
          postings: [
            { account: walletAccount(event.from), amountMicro: -event.amountMicro },
            { account: walletAccount(event.to), amountMicro: event.amountMicro },
          ],
          intentId: intent.id,
          requestId: intent.requestId ?? undefined,
          chain: placeOf(settlement, event),
          reference: { ownerId: payload.from },
        })
      }
    },
  }
}

/** What a payer signs, from the strings that travel in a payload. */
export function authorizationOf({
  from,
  to,
  value,
  validBefore,
  nonce,
}: Omit<Static<typeof Transfer>, 'signature'>): TransferAuthorization {
  return { from, to, value: BigInt(value), validAfter: 0n, validBefore: BigInt(validBefore), nonce }
}

/** Kinds as features would register them: fund, act, rule, and plain transfers by either sender. */
export function registerTestKinds(
  { intents }: { intents: Pick<Intents, 'register'> },
  chaos: ChaosChain,
): void {
  const { escrow, facts } = chaos.chain
  intents.register<Static<typeof Deposit>>({
    kind: 'test.deposit',
    sender: 'operator',
    payload: Deposit,
    gasLimit: GAS_LIMIT,
    amountMicro: ({ amount }) => BigInt(amount),
    prepare: async ({ jobId, client, seller, agentWallet, amount, validBefore, signature }) =>
      escrow.depositWithAuthorization({
        terms: {
          jobRef: escrow.refOf(jobId),
          client,
          seller,
          agentWallet,
          amountMicro: BigInt(amount),
          deadline: 0,
        },
        validAfter: 0n,
        validBefore: BigInt(validBefore),
        signature,
      }),
    ...effects,
  })
  intents.register<Static<typeof Action>>({
    kind: 'test.action',
    sender: 'operator',
    payload: Action,
    gasLimit: GAS_LIMIT,
    async prepare({ action, key }) {
      switch (action) {
        case 'submit':
          return escrow.submit({ key, deliveryHash: `0x${'01'.repeat(32)}` })
        case 'release':
          return escrow.release({ key })
        case 'refund':
          return escrow.refund({ key })
        case 'dispute':
          return escrow.openDispute({ key, onBehalfOf: 'client' })
        case 'propose':
          return escrow.proposeSettlement({ key, onBehalfOf: 'seller', sellerBps: 3_333 })
        case 'accept':
          return escrow.acceptSettlement({ key, onBehalfOf: 'client', sellerBps: 3_333 })
        case 'refundUndecided':
          return escrow.refundUndecided({ key })
      }
    },
    ...effects,
  })
  intents.register<Static<typeof Ruling>>({
    kind: 'test.ruling',
    sender: 'operator',
    payload: Ruling,
    async prepare({ key, sellerBps }) {
      const safe = checksumAddress(facts.contracts.arbiter)
      const { nonce } = await getSafeState(chaos.client, { safe })
      const call = escrow.rule({ key, sellerBps })
      const transaction = buildSafeTransaction({ chainId: facts.chainId, safe, call, nonce })
      const { safeOwner1, safeOwner2 } = chaos.roles
      const signatures = await Promise.all(
        [safeOwner1, safeOwner2].map(async (owner) => ({
          owner: owner.address,
          signature: await owner.signTypedData(transaction),
        })),
      )
      return prepareSafeExecution({ transaction, signatures })
    },
    ...effects,
  })
  intents.register(transferKind(chaos, 'test.withdrawal', 'operator'))
  intents.register(transferKind(chaos, 'test.pull', 'spender'))
}
