import {
  AppError,
  formatMicro,
  invalidField,
  type JobInput,
  type KycStatus,
  type Owner,
} from '@agent-marketplace/contract'
import type { SentPayment } from '../../house/payments.ts'
import type { OrderedService } from '../../house/services/ordered-service.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { checkOrder, conflictOf, fingerprintOf, wordsOf } from './rules.ts'
import {
  findOrderByIdentifier,
  insertOrder,
  lockIdentifier,
  type OrderRow,
  releaseIdentifier,
} from './store.ts'

/** What a job is created from. */
interface NewJob {
  client: { ownerId: string; kycStatus: KycStatus; budget?: { id: string } | undefined }
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
  paidInCall: true
}

export interface OpeningDeps {
  /** Deadlines. */
  clock: Clock
  checksumAddress: (address: string) => string
  findService: (db: Queryable, wallet: string, serviceId: string) => Promise<OrderedService | undefined>
  findOrCreateOwner: (db: Queryable, walletAddress: string) => Promise<{ owner: Owner }>
  createJob: (tx: Transaction, job: NewJob) => Promise<unknown>
}

/** One purchase, as it was requested. */
export interface Wish {
  wallet: string
  serviceId: string
  input: JobInput
  /** Of the credential that the call came with. */
  budget?: { id: string } | undefined
}

/** Another authorization of the same payer for an order that is paid already: it is not to be settled. */
export class AlreadyOrdered extends Error {
  readonly jobId: string
  constructor(jobId: string) {
    super('the order is there already')
    this.jobId = jobId
  }
}

type Buying = Pick<OrderRow, 'payer' | 'fingerprint'>

export const isSame = (a: Buying, b: Buying): boolean =>
  a.payer === b.payer && a.fingerprint === b.fingerprint

/** What happens in the transaction that takes the payment of an order. */
export function createOpening(deps: OpeningDeps) {
  async function serviceOf(queryable: Queryable, { wallet, serviceId }: Wish): Promise<OrderedService> {
    const service = await deps.findService(queryable, wallet, serviceId)
    if (service) return service
    throw new AppError('NOT_FOUND', {
      message: 'There is no such service. What was paid for before is at its order URL.',
    })
  }

  /** In the transaction that takes the payment: what throws here leaves the authorization unused. */
  async function open(tx: Transaction, wish: Wish, given: SentPayment, jobId: string): Promise<void> {
    const payer = given.payment.payer.toLowerCase()
    const fingerprint = fingerprintOf(wish)
    const { identifier } = given
    if (identifier !== undefined) await takeIdentifier(tx, identifier, { payer, fingerprint })
    const service = await serviceOf(tx, wish)
    checkOrder(service, wish.input)
    if (payer === service.agent.walletAddress.toLowerCase())
      throw invalidField('PAYMENT-SIGNATURE', 'pays the wallet that it comes from')
    if (service.priceMicro !== given.payment.amountMicro)
      throw new AppError('UNAVAILABLE', { message: 'The price changed just now. Try again.' })
    const { owner } = await deps.findOrCreateOwner(tx, deps.checksumAddress(payer))
    if (owner.accountStatus !== 'ACTIVE')
      throw new AppError('FORBIDDEN', { message: 'The account of this wallet is not active.' })
    const { id: ownerId, kycStatus } = owner
    const now = deps.clock.now()
    await deps.createJob(tx, {
      client: { ownerId, kycStatus, budget: wish.budget },
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
      paidInCall: true,
    })
    await insertOrder(tx, { jobId, ownerId, payer, fingerprint, headerDigest: given.digest, identifier, now })
  }

  async function takeIdentifier(tx: Transaction, identifier: string, wanted: Buying): Promise<void> {
    await lockIdentifier(tx, identifier)
    const earlier = await findOrderByIdentifier(tx, identifier)
    if (!earlier) return
    if (!earlier.isPaid) return releaseIdentifier(tx, earlier.jobId)
    throw isSame(earlier, wanted) ? new AlreadyOrdered(earlier.jobId) : conflictOf()
  }

  return { serviceOf, open }
}
