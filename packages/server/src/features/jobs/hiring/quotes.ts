import { invalidField, railOf, type SignedAuthorization } from '@agent-marketplace/contract'
import type { Steps } from '../../../house/steps.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { NewId } from '../../../platform/id/id.ts'
import type { ChainPort } from '../../../ports/chain/port.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { wrongState } from '../lifecycle/moves/conditions.ts'
import { type JobBody, readNewJob } from '../lifecycle/read-new-job.ts'
import { findHires, findJob, lockJobId } from '../lifecycle/store.ts'
import type { EscrowPayments } from '../payment/escrow-payment.ts'
import type { JobCursors } from './cursors.ts'
import { type Client, draftFor } from './draft.ts'
import { type FileWish, filesIn, type Hiring } from './hiring.ts'
import { createReservations, expiryOf, promiseOf, type Reserved } from './reservations.ts'

export interface QuoteDeps {
  db: Database
  clock: Clock
  newId: NewId
  chain: Pick<ChainPort, 'escrow' | 'checksumAddress'>
  cursors: JobCursors
  /** Throws where a hire could not have the files that it names. */
  jobFiles: { checkForHire(db: Queryable, wish: FileWish): Promise<void> }
  /** Replays the chain events of this key: its job exists only now. */
  replayEvents: (tx: Transaction, escrowKey: string) => Promise<void>
}

interface Parts {
  create: (tx: Transaction, hiring: Hiring) => Promise<JobRow>
  escrowPayments: Pick<EscrowPayments, 'tryDeposit' | 'placeDeposit'>
}

/** What a job would be, and what makes it so. */
export interface Quote {
  job: JobRow
  reservation: string
  expiresAt: Date
}

/** What a hire can include: the quote that it accepts, and the deposit to make at once. */
export interface ReadHire {
  reserved: Reserved | undefined
  signed: SignedAuthorization | undefined
}

/** A hire that accepts a quote. */
export interface ReservedHire extends ReadHire {
  client: Client
  body: JobBody
  requestId: string
  reserved: Reserved
}

interface Prepared {
  /** Somebody else has relayed the signature: the escrow holds the deposit before the job is made. */
  isTaken: boolean
}

/**
 * Quotes, and the hires that take them up. A quote sets the job's id aside, and with it the key that a deposit is signed
 * for; so one signature pays for the job that was quoted and for nothing else, however often it is sent.
 */
export function createQuotes(deps: QuoteDeps, { create, escrowPayments }: Parts) {
  const { db, clock, newId, chain } = deps
  const reservations = createReservations(deps.cursors)

  async function draft(
    client: Client,
    body: JobBody,
    { id, quotedAt }: Reserved,
  ): Promise<{ job: JobRow; promise: string }> {
    const given = readNewJob(body, quotedAt)
    const hires = await findHires(db, [
      { agentId: given.agentId, clientId: client.ownerId, serviceId: given.serviceId },
    ])
    const { job, agreement } = draftFor(hires.get(0), chain, {
      id,
      given,
      client,
      paidInCall: false,
      now: clock.now(),
    })
    return { job, promise: promiseOf(job, agreement) }
  }

  return {
    async quote(client: Client, body: JobBody): Promise<Quote> {
      const reserved = { id: newId(), quotedAt: clock.now() }
      const { job, promise } = await draft(client, body, reserved)
      await deps.jobFiles.checkForHire(db, filesIn({ client, body }))
      return {
        job,
        reservation: reservations.write({ ...reserved, promise }, client.ownerId, body),
        expiresAt: expiryOf(reserved, job.deadlineAt),
      }
    },

    readHire({ client, body }: Pick<Hiring, 'client' | 'body'>): ReadHire {
      const { reservation } = body.value
      const signed = readSigned(body)
      if (reservation !== undefined)
        return { reserved: reservations.read(reservation, client.ownerId, body), signed }
      if (signed === undefined) return { reserved: undefined, signed }
      throw invalidField('reservation', 'of POST /api/jobs/quote is needed to pay in this call')
    },

    hireReserved: (hire: ReservedHire): Steps<Prepared, JobRow> => ({
      prepare: () => tryHire(hire),
      decide: (tx, prepared) => createReserved(tx, hire, prepared),
    }),
  }

  /** Refuses, before anything is written, what could not be made or paid. What is made already passes. */
  async function tryHire({ client, body, reserved, signed }: ReservedHire): Promise<Prepared> {
    if (await findJob(db, reserved.id)) return { isTaken: false }
    const { job, promise } = await draft(client, body, reserved)
    const isChanged = reserved.promise !== undefined && reserved.promise !== promise
    if (expiryOf(reserved, job.deadlineAt) <= clock.now()) {
      throw invalidField('reservation', 'has expired. Ask POST /api/jobs/quote for a new one')
    }
    if (signed === undefined) {
      if (isChanged) throw changedSince()
      return { isTaken: false }
    }
    if (job.needsAcceptance)
      throw wrongState(
        job.status,
        [],
        'The seller accepts this order first. Hire without a payment, and pay then.',
      )
    if (!railOf(job.paymentMethod).holdsMoney) {
      throw invalidField('authorization', 'is for escrow. An X402 job is paid by PAYMENT-SIGNATURE')
    }
    const isTaken = (await escrowPayments.tryDeposit(job, signed)) === 'TAKEN'
    // Money that the escrow holds already needs its job.
    if (isChanged && !isTaken) throw changedSince()
    return { isTaken }
  }

  /** The job of the reservation with the order to pay for it, in one transaction; or the one that is there already. */
  async function createReserved(
    tx: Transaction,
    { client, body, requestId, reserved, signed }: ReservedHire,
    { isTaken }: Prepared,
  ): Promise<JobRow> {
    await lockJobId(tx, reserved.id)
    const made = await findJob(tx, reserved.id)
    if (made) return made
    const job = await create(tx, { client, body, reserved, isPaid: isTaken })
    if (signed && !isTaken) await escrowPayments.placeDeposit(tx, job, signed, requestId)
    if (isTaken && job.escrowKey !== null) await deps.replayEvents(tx, job.escrowKey)
    return job
  }
}

const changedSince = () =>
  invalidField(
    'reservation',
    'is for a service that has changed since. Ask POST /api/jobs/quote for a new one',
  )

function readSigned({ value: { authorization, signature } }: JobBody): SignedAuthorization | undefined {
  if (authorization !== undefined && signature !== undefined) return { authorization, signature }
  if (authorization === undefined && signature === undefined) return undefined
  throw invalidField(authorization ? 'signature' : 'authorization', 'is needed, too')
}
