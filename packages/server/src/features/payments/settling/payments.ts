import { onChain } from '../../../house/feature.ts'
import type { PaymentOrder, PaymentOutcome, PaymentPurpose } from '../../../house/payments.ts'
import { takeSteps } from '../../../house/steps.ts'
import { createAccountOf } from '../../../money/books/accounts.ts'
import type { Intents } from '../../../money/intents/intents.ts'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { NewId } from '../../../platform/id/id.ts'
import type { Log } from '../../../platform/log/log.ts'
import { createDueWork } from '../../../platform/queue/due-work.ts'
import type { ChainPort } from '../../../ports/chain/port.ts'
import type { Payment, PaymentsPort, Verdict } from '../../../ports/payments/port.ts'
import {
  type AuthorizationKey,
  claimLookUp,
  findByAuthorization,
  findLivePayment,
  findPayment,
  findSettledBy,
  insertPayment,
  type PaymentRow,
  saveLookUp,
} from '../store.ts'
import { createConclusion } from './conclusion.ts'
import { createGuestGas, type GuestGasLimit } from './guest-gas.ts'
import { createLookUp } from './look-ups.ts'
import { createFacilitatorSettler, RESPONSE_LIMIT_SECONDS } from './settle-by-facilitator.ts'
import { createIntentSettler } from './settle-by-intent.ts'

/**
 * x402 payments. It promises: an authorization is settled once, no matter who sends it, how often, or after which crash;
 * what is paid for is paid once; an outcome and its effect are written together; an unknown outcome is looked up on
 * chain and never charged again.
 */
export interface PaymentsDeps {
  db: Database
  log: Log
  /** Real time. */
  clock: Clock
  newId: NewId
  port: PaymentsPort
  intents: Intents
  chain: Pick<ChainPort, 'facts' | 'reader' | 'checksumAddress' | 'isWalletFactory'>
  /** Reads the chain up to its head now, so that what is mined is in the books. */
  followChain: () => Promise<void>
  guestGas: GuestGasLimit
  endOfWaits: AbortSignal
}

type ValidVerdict = Extract<Verdict, { status: 'valid' }>

export async function createPayments(deps: PaymentsDeps) {
  const { db, clock, newId, port, intents } = deps
  const purposes = new Map<string, PaymentPurpose>()
  const purposeOf = (name: string): PaymentPurpose => {
    const purpose = purposes.get(name)
    if (!purpose) throw new Error(`There is no payment purpose ${name}`)
    return purpose
  }
  const { facts, reader, checksumAddress } = deps.chain
  const { chainId } = facts
  const accountOf = createAccountOf(facts)
  const conclusion = createConclusion({ clock, accountOf, checksumAddress, purposeOf })
  const lookUp = createLookUp({ db, port, reader, followChain: deps.followChain, conclusion })
  const { settlement } = port
  const settler =
    settlement.by === 'service'
      ? createIntentSettler({
          db,
          clock,
          chain: deps.chain,
          intents,
          settlement,
          conclusion,
          takeGuestGas: createGuestGas(clock, deps.guestGas),
        })
      : await createFacilitatorSettler({ ...deps, settlement, conclusion, lookUp })

  // What a transaction of ours settled is open again by now. Here it is about those that others sent.
  const transferTakenBack = onChain(
    'UsdcTransferred',
    async () => {},
    async (tx, { transactionHash: txHash, from, to, amountMicro }) => {
      const row = await findSettledBy(tx, { chainId, txHash, from, to, amountMicro })
      if (!row) return
      await conclusion.reverted(tx, row)
      await saveLookUp(tx, row.id, clock.now(), null)
    },
  )

  const keyOf = ({ payer, nonce }: Payment): AuthorizationKey => ({
    chainId,
    token: facts.contracts.usdc,
    payer,
    nonce,
  })

  async function outcomeOf(row: PaymentRow): Promise<PaymentOutcome> {
    const payer = checksumAddress(row.payer)
    if (row.status === 'REJECTED') return { outcome: 'rejected', payer, reason: row.reason ?? '' }
    const { amountMicro, txHash } = row
    if (txHash === null)
      return { outcome: 'unknown', payer, amountMicro, sentTxHash: await settler.findSent(row) }
    return { outcome: 'settled', payer, amountMicro, txHash }
  }

  async function finish(row: PaymentRow, waitMs: number, isFirst: boolean): Promise<PaymentOutcome> {
    if (row.status !== 'PENDING') return outcomeOf(row)
    await settler.settle(row, { waitMs, isFirst })
    const known = await findPayment(db, row.id)
    const isDue = known.lookUpAt !== null && known.lookUpAt <= clock.now()
    if (known.status !== 'PENDING' || !isDue) return outcomeOf(known)
    try {
      await lookUp(known)
    } catch (error) {
      // The caller learns that it is open; the worker asks again.
      deps.log.warn({ err: error, paymentId: row.id }, 'a payment could not be looked up')
    }
    return outcomeOf(await findPayment(db, row.id))
  }

  /** Takes the payment: from here on its outcome is found out, whatever happens to this process. */
  async function take(
    tx: Transaction,
    order: PaymentOrder,
    verdict: ValidVerdict,
  ): Promise<PaymentRow | undefined> {
    const row = await insertPayment(tx, {
      ...order,
      id: newId(),
      key: keyOf(order.payment),
      sinceBlock: verdict.blockNumber,
      now: clock.now(),
    })
    if (!row) return undefined
    await (order.open ?? order.check)?.(tx)
    const { deployment, isContract = false } = verdict
    await settler.begin(tx, row, { deployment, isContract, chargedTo: order.chargedTo })
    return row
  }

  async function verify({ payment, offer, mismatch }: PaymentOrder): Promise<Verdict> {
    return mismatch === undefined ? port.verify(payment, offer) : { status: 'invalid', reason: mismatch }
  }

  /** The payment that the order's authorization, or another one for the same thing, already is. */
  async function findEarlier(order: PaymentOrder): Promise<PaymentRow | undefined> {
    const same = await findByAuthorization(db, keyOf(order.payment))
    return same ?? (await findLivePayment(db, order.purpose, order.reference))
  }

  async function outcomeOfEarlier(order: PaymentOrder, earlier: PaymentRow): Promise<PaymentOutcome> {
    if (earlier.purpose === order.purpose && earlier.reference === order.reference)
      return finish(earlier, order.waitMs, false)
    const reason = 'invalid_exact_evm_nonce_already_used'
    return { outcome: 'rejected', payer: order.payment.payer, reason }
  }

  const lookUpDue = createDueWork<PaymentRow, Date>({
    // One at a time: a turn may end before it gets to others that it had claimed.
    async list(_after, dueBy) {
      const claimed = await claimLookUp(db, { dueBy, until: addSeconds(clock.now(), RESPONSE_LIMIT_SECONDS) })
      return claimed ? [claimed] : []
    },
    async work(row) {
      if (!(await lookUp(row))) await settler.sendAgain(row)
    },
  })

  return {
    intentKinds: settler.intentKinds,
    eventHandlers: [transferTakenBack],

    /** Before the first payment. */
    register(purpose: PaymentPurpose): void {
      if (purposes.has(purpose.name))
        throw new Error(`The payment purpose ${purpose.name} is registered twice`)
      purposes.set(purpose.name, purpose)
    },

    async settle(order: PaymentOrder): Promise<PaymentOutcome> {
      const { payer, amountMicro } = order.payment
      const earlier = await findEarlier(order)
      if (earlier) return outcomeOfEarlier(order, earlier)
      return takeSteps(db, {
        async prepare() {
          const verdict = await verify(order)
          // A twin may have settled it since the first look: then its outcome counts, not that the nonce is used.
          return { verdict, twin: await findEarlier(order) }
        },
        decide: async (tx, { verdict, twin }) =>
          twin || verdict.status === 'invalid' ? undefined : take(tx, order, verdict),
        async conclude({ verdict, twin }, taken) {
          if (taken) return finish(taken, order.waitMs, true)
          if (!twin && verdict.status === 'invalid')
            return { outcome: 'rejected', payer, reason: verdict.reason }
          const known = twin ?? (await findEarlier(order))
          return known ? outcomeOfEarlier(order, known) : { outcome: 'unknown', payer, amountMicro }
        },
      })
    },

    /** The payment that is settled or under way for something, if there is one. */
    async find(purpose: string, reference: string, waitMs: number): Promise<PaymentOutcome | undefined> {
      const row = await findLivePayment(db, purpose, reference)
      return row && finish(row, waitMs, false)
    },

    /** The worker's part: asks the chain about payments whose outcome is open. */
    resume: (signal?: AbortSignal): Promise<void> => lookUpDue(clock.now(), signal),

    close: () => settler.close(),
  }
}

export type Payments = Awaited<ReturnType<typeof createPayments>>
