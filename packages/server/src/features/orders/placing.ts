import { AppError, formatMicro, type JobInput, type KycStatus, type Owner } from '@agent-marketplace/contract'
import type { OrderedService } from '../../house/ordered-service.ts'
import { payableResourceOf, type ResourceFacts } from '../../house/payable-service.ts'
import { JOB_PURPOSE, type PaidCall, type PaidCalls, type SentPayment } from '../../house/payments.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewId } from '../../platform/id/id.ts'
import { checkIdentifier, checkOrder, conflictOf, fingerprintOf, jobIdOf, wordsOf } from './rules.ts'
import {
  findOrder,
  findOrderByIdentifier,
  insertOrder,
  lockIdentifier,
  type OrderRow,
  releaseIdentifier,
} from './store.ts'
import type { WalletSignIn } from './wallet-sign-in.ts'

/** A job as jobs are made of it. */
interface NewJob {
  client: { ownerId: string; kycStatus: KycStatus }
  body: {
    form: 'a'
    value: {
      agentId: string
      serviceId: string
      title: string
      description: string
      category: string
      agreedPrice: string
      input: JobInput
    }
  }
  reserved: { id: string; quotedAt: Date }
}

export interface PlacingDeps {
  db: Database
  /** Deadlines. */
  clock: Clock
  newId: NewId
  publicUrl: URL
  checksumAddress: (address: string) => string
  findService: (db: Queryable, wallet: string, serviceId: string) => Promise<OrderedService | undefined>
  findOrCreateOwner: (db: Queryable, walletAddress: string) => Promise<{ owner: Owner }>
  createJob: (tx: Transaction, job: NewJob) => Promise<unknown>
  offerFor: ResourceFacts['offerFor']
  paidCalls: PaidCalls
  signIn: Pick<WalletSignIn, 'challenge'>
}

/** One wish to buy, as it came. */
export interface Wish {
  wallet: string
  serviceId: string
  input: JobInput
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

/** Another authorization of the same payer for an order that is paid already: it is not to be settled. */
class AlreadyOrdered extends Error {
  readonly jobId: string
  constructor(jobId: string) {
    super('the order is there already')
    this.jobId = jobId
  }
}

/**
 * Orders at the URL of a service. It promises: nothing is asked for or charged that could not be worked on; the job, its
 * buyer and its payment are stored together or not at all; one payment, and one identifier of a payer, make one job.
 */
export function createPlacing(deps: PlacingDeps) {
  const { db, clock, publicUrl, paidCalls, signIn } = deps

  async function serviceOf(queryable: Queryable, { wallet, serviceId }: Wish): Promise<OrderedService> {
    const service = await deps.findService(queryable, wallet, serviceId)
    if (service) return service
    throw new AppError('NOT_FOUND', { message: 'There is no such service.' })
  }

  /** In the transaction that takes the payment: what throws here leaves the authorization unused. */
  async function open(tx: Transaction, wish: Wish, given: SentPayment, jobId: string): Promise<void> {
    const payer = given.payment.payer.toLowerCase()
    const fingerprint = fingerprintOf(wish)
    const { identifier } = given
    if (identifier !== undefined) await takeIdentifier(tx, identifier, { payer, fingerprint })
    const service = await serviceOf(tx, wish)
    checkOrder(service, wish.input)
    if (service.priceMicro !== given.payment.amountMicro)
      throw new AppError('UNAVAILABLE', { message: 'The price changed just now. Try again.' })
    const { owner } = await deps.findOrCreateOwner(tx, deps.checksumAddress(payer))
    if (owner.accountStatus !== 'ACTIVE')
      throw new AppError('FORBIDDEN', { message: 'The account of this wallet is not active.' })
    const { id: ownerId, kycStatus } = owner
    const now = clock.now()
    await deps.createJob(tx, {
      client: { ownerId, kycStatus },
      body: {
        form: 'a',
        value: {
          agentId: service.agentId,
          serviceId: service.id,
          ...wordsOf(service, wish.input),
          category: service.agent.category,
          agreedPrice: formatMicro(service.priceMicro),
          input: wish.input,
        },
      },
      reserved: { id: jobId, quotedAt: now },
    })
    await insertOrder(tx, { jobId, ownerId, payer, fingerprint, identifier, now })
  }

  async function takeIdentifier(
    tx: Transaction,
    identifier: string,
    wanted: Pick<OrderRow, 'payer' | 'fingerprint'>,
  ): Promise<void> {
    await lockIdentifier(tx, identifier)
    const earlier = await findOrderByIdentifier(tx, identifier)
    if (!earlier) return
    if (!earlier.isPaid) return releaseIdentifier(tx, earlier.jobId)
    throw isSame(earlier, wanted) ? new AlreadyOrdered(earlier.jobId) : conflictOf()
  }

  /** Asks for the payment, or takes the one that is given. */
  async function pay(
    call: PaidCall,
    wish: Wish,
    given: SentPayment | undefined,
    jobId: string,
  ): Promise<void> {
    const service = await serviceOf(db, wish)
    const facts = { publicUrl, offerFor: deps.offerFor, extensionBytes: EXTENSION_BYTES }
    const { resource, extensions } = payableResourceOf(service, facts)
    const { url, description, serviceName, tags } = resource
    await paidCalls.requirePayment(call, {
      purpose: JOB_PURPOSE,
      reference: jobId,
      payTo: service.agent.walletAddress,
      amountMicro: service.priceMicro,
      description,
      listing: { ...(serviceName && { serviceName }), ...(tags && { tags }) },
      extensions: {
        ...extensions,
        'payment-identifier': paymentIdentifier,
        'sign-in-with-x': signIn.challenge(url),
      },
      check: async (queryable) => checkOrder(await serviceOf(queryable, wish), wish.input),
      open: given && ((tx) => open(tx, wish, given, jobId)),
    })
  }

  /** The order that a payer without money for a second one has paid for, where the signature was found to be theirs. */
  async function paidBefore(error: unknown, wish: Wish, given: SentPayment): Promise<string | undefined> {
    if (error instanceof AlreadyOrdered) return error.jobId
    const { identifier, payment } = given
    const isPoor = error instanceof AppError && error.details.reason === INSUFFICIENT
    if (!isPoor || identifier === undefined || payment.signature.length !== PLAIN_SIGNATURE_LENGTH)
      return undefined
    const earlier = await findOrderByIdentifier(db, identifier)
    const wanted = { payer: payment.payer.toLowerCase(), fingerprint: fingerprintOf(wish) }
    return earlier?.isPaid && isSame(earlier, wanted) ? earlier.jobId : undefined
  }

  const paymentOf = (call: PaidCall, jobId: string) =>
    paidCalls.findPayment(call, { purpose: JOB_PURPOSE, reference: jobId })

  /** The same payment with another body is no second order, however close together the two come. */
  async function orderFor(wish: Wish, jobId: string): Promise<OrderRow> {
    const order = await findOrder(db, jobId)
    if (order?.fingerprint === fingerprintOf(wish)) return order
    throw conflictOf()
  }

  return {
    serviceOf: (wish: Pick<Wish, 'wallet' | 'serviceId'>) => serviceOf(db, { ...wish, input: {} }),

    /** The order that the call has paid for, now or before. Throws the 402 where it has not. */
    async place(call: PaidCall, wish: Wish): Promise<OrderRow> {
      const given = paidCalls.readPayment(call)
      if (!given) {
        await pay(call, wish, undefined, deps.newId())
        throw new Error('an order was made without a payment')
      }
      checkIdentifier(given.identifier)
      const jobId = jobIdOf(given.digest)
      const isPaid = (await findOrder(db, jobId)) && (await paymentOf(call, jobId))
      if (isPaid) return orderFor(wish, jobId)
      try {
        await pay(call, wish, given, jobId)
        return await orderFor(wish, jobId)
      } catch (error) {
        const earlier = await paidBefore(error, wish, given)
        if (earlier === undefined) throw error
        call.reply.removeHeader('PAYMENT-REQUIRED')
        await paymentOf(call, earlier)
        return orderFor(wish, earlier)
      }
    },
  }
}

const isSame = (a: Pick<OrderRow, 'payer' | 'fingerprint'>, b: Pick<OrderRow, 'payer' | 'fingerprint'>) =>
  a.payer === b.payer && a.fingerprint === b.fingerprint

/** The reason of the x402 protocol. The balance is looked at after the signature, unless that brings a wallet of its own. */
const INSUFFICIENT = 'invalid_exact_evm_insufficient_balance'
const PLAIN_SIGNATURE_LENGTH = 132
