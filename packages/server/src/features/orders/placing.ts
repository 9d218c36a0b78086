import { AppError } from '@agent-marketplace/contract'
import type { Budgets } from '../../house/budgets.ts'
import { JOB_PURPOSE, type PaidCall, type PaidCalls, type SentPayment } from '../../house/payments.ts'
import { payableResourceOf, type ResourceFacts } from '../../house/services/payable-service.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewId } from '../../platform/id/id.ts'
import { AlreadyOrdered, createOpening, isSame, type OpeningDeps, type Wish } from './opening.ts'
import type { SignedReceipts } from './receipts/signed-receipts.ts'
import { checkIdentifier, checkOrder, conflictOf, fingerprintOf, isSender, jobIdOf } from './rules.ts'
import { findOrder, findOrderByIdentifier, type OrderRow } from './store.ts'
import type { WalletSignIn } from './wallet-sign-in.ts'

export interface PlacedOrder {
  order: OrderRow
  /** Whether the call may see the result and the token: not for one that shows only what is on chain. */
  isOpen: boolean
}

/** What is stored with a new order, or not at all. What it throws leaves the authorization unused. */
export type FollowOrder = (tx: Transaction, jobId: string) => Promise<void>

export interface PlacingDeps extends OpeningDeps {
  db: Database
  newId: NewId
  publicUrl: URL
  offerFor: ResourceFacts['offerFor']
  paidCalls: PaidCalls
  budgets: Pick<Budgets, 'checkPayment'>
  signIn: Pick<WalletSignIn, 'challenge' | 'isEchoed'>
  /** Undefined where nothing is signed. */
  receipts: Pick<SignedReceipts, 'offersFor'> | undefined
}

/** The header holds all of it as base64, beside the rest: 16 kB are the most that clients read. */
const EXTENSION_BYTES = 4_000

/** The extension by which a payer can name the purchase. */
const paymentIdentifier = {
  info: { required: false },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
}

/**
 * Orders at the URL of a service. It promises: nothing is requested or charged that could not be worked on; the job, its
 * buyer and its payment are stored together or not at all; one payment, and one identifier of a payer, make one job; and
 * its result goes to those alone who show more than the chain does.
 */
export function createPlacing(deps: PlacingDeps) {
  const { db, publicUrl, paidCalls, signIn } = deps
  const { serviceOf, open } = createOpening(deps)

  /** Requests the payment, or takes the one in the call. */
  async function pay(
    call: PaidCall,
    wish: Wish,
    given: SentPayment | undefined,
    jobId: string,
    onOpen: (tx: Transaction) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const service = await serviceOf(db, wish)
    const facts = { publicUrl, offerFor: deps.offerFor, extensionBytes: EXTENSION_BYTES }
    const { resource, accepts, extensions } = payableResourceOf(service, facts)
    const { url, description, serviceName, tags } = resource
    await paidCalls.requirePayment(call, {
      purpose: JOB_PURPOSE,
      reference: jobId,
      payTo: service.agent.walletAddress,
      amountMicro: service.priceMicro,
      description,
      listing: { url, ...(serviceName && { serviceName }), ...(tags && { tags }) },
      extensions: {
        ...extensions,
        'payment-identifier': paymentIdentifier,
        'sign-in-with-x': signIn.challenge(url),
        ...deps.receipts?.offersFor(url, accepts),
      },
      async check(queryable) {
        const offered = await serviceOf(queryable, wish)
        checkOrder(offered, wish.input)
        const { agentId, priceMicro: amountMicro } = offered
        if (wish.budget)
          await deps.budgets.checkPayment(queryable, {
            budgetId: wish.budget.id,
            jobId,
            agentId,
            amountMicro,
          })
      },
      open:
        given &&
        (async (tx) => {
          await open(tx, wish, given, jobId)
          await onOpen(tx)
        }),
    })
  }

  const paymentOf = (call: PaidCall, jobId: string) =>
    paidCalls.findPayment(call, { purpose: JOB_PURPOSE, reference: jobId })

  /** The same payment with another body is no second order, however close together the two come. */
  async function orderFor(wish: Wish, jobId: string): Promise<OrderRow> {
    const order = await findOrder(db, jobId)
    if (order?.fingerprint === fingerprintOf(wish)) return order
    throw conflictOf()
  }

  /** The order that the payment's identifier names, once the payment is known to be its payer's. */
  async function namedOrder(wish: Wish, given: SentPayment): Promise<OrderRow | undefined> {
    const { identifier, payment } = given
    const earlier = identifier === undefined ? undefined : await findOrderByIdentifier(db, identifier)
    if (!earlier?.isPaid || !(await paidCalls.isFromPayer(given))) return undefined
    if (isSame(earlier, { payer: payment.payer.toLowerCase(), fingerprint: fingerprintOf(wish) }))
      return earlier
    throw conflictOf()
  }

  /** What is there already is found whatever has become of the service, its price and its agent since. */
  async function placedBefore(call: PaidCall, wish: Wish, given: SentPayment): Promise<OrderRow | undefined> {
    const order = await namedOrder(wish, given)
    if (order) await paymentOf(call, order.jobId)
    return order
  }

  async function placedMeanwhile(
    error: unknown,
    call: PaidCall,
    wish: Wish,
    given: SentPayment,
  ): Promise<OrderRow | undefined> {
    if (error instanceof AlreadyOrdered) {
      await paymentOf(call, error.jobId)
      return orderFor(wish, error.jobId)
    }
    if (!(error instanceof AppError) || error.code !== 'PAYMENT_REQUIRED') return undefined
    const order = await placedBefore(call, wish, given)
    if (order) call.reply.removeHeader('PAYMENT-REQUIRED')
    return order
  }

  return {
    serviceOf: (wish: Pick<Wish, 'wallet' | 'serviceId'>) => serviceOf(db, { ...wish, input: {} }),

    /**
     * The order that the call has paid for, now or before. Throws the 402 where it has not. `follow` runs in the transaction
     * that makes a new one.
     */
    async place(call: PaidCall, asked: Omit<Wish, 'budget'>, follow?: FollowOrder): Promise<PlacedOrder> {
      const wish: Wish = { ...asked, budget: call.principal?.budget }
      const given = paidCalls.readPayment(call)
      if (!given) {
        await pay(call, wish, undefined, deps.newId())
        throw new Error('an order was made without a payment')
      }
      checkIdentifier(given)
      const jobId = jobIdOf(given.payment)
      const sent = {
        digest: given.digest,
        hasSecret: given.identifier !== undefined || signIn.isEchoed(given),
      }
      let isVerified = false
      const placed = (order: OrderRow): PlacedOrder => ({
        order,
        isOpen: isVerified || isSender(sent, order),
      })
      const isPaid = (await findOrder(db, jobId)) && (await paymentOf(call, jobId))
      if (isPaid) return placed(await orderFor(wish, jobId))
      const earlier = await placedBefore(call, wish, given)
      if (earlier) return { order: earlier, isOpen: true }
      try {
        await pay(call, wish, given, jobId, async (tx) => {
          await follow?.(tx, jobId)
          isVerified = true
        })
        return placed(await orderFor(wish, jobId))
      } catch (error) {
        // Another call of the same payer may have placed it meanwhile.
        const meanwhile = await placedMeanwhile(error, call, wish, given)
        if (!meanwhile) throw error
        return { order: meanwhile, isOpen: true }
      }
    },
  }
}

export type Placing = ReturnType<typeof createPlacing>
