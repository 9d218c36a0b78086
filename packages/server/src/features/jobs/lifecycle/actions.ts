import { createHash } from 'node:crypto'
import {
  AppError,
  DISPUTE_PERIOD_SECONDS,
  type DisputeStatement,
  type JobFile,
  REVIEW_PERIOD_SECONDS,
  railOf,
} from '@agent-marketplace/contract'
import type { Budgets } from '../../../house/budgets.ts'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { type Caller, type Decision, type DecisionDeps, decide, lockFor, type Made } from './decisions.ts'
import { insertDelivery, saveChangeRequest } from './delivery-store.ts'
import { insertDispute, insertEvidence, saveTerms } from './dispute-store.ts'
import { partyOf, type Side } from './escrow-facts.ts'
import type { JobRow } from './job.ts'
import {
  createDeliveryStoring,
  type DeliveredFile,
  type DeliveryDeps,
  type StoredDelivery,
  wordsOf,
} from './keep-delivery.ts'
import { fundByOf } from './rules.ts'

export interface ActionDeps extends DecisionDeps, DeliveryDeps {
  budgets: Budgets
  jobFiles: DeliveryDeps['jobFiles'] & {
    send(tx: Queryable, files: readonly DeliveredFile[]): Promise<void>
    byIds(db: Queryable, ids: readonly string[]): Promise<Map<string, JobFile>>
  }
  /** Says whose a stored file is. */
  addFileOwner: (db: Queryable, file: { cid: string; ownerId: string }) => Promise<void>
}

/** The input of every action. */
export interface Ask {
  jobId: string
  caller: Caller
  requestId: string | null
  /** Of the caller's credential. */
  budget?: Principal['budget']
}

/** All else happens a few times at most in a job; offers can be made without end. */
const OFFER_GAS = 100_000n

/** The words of the calls that only say why. */
export type PlainAction = 'CANCEL' | 'DECLINE' | 'REFUND' | 'APPROVE'

/** They settle where the buyer's money goes: a credential with caps does so with what it spent itself. */
const endsOwnSpending: ReadonlySet<PlainAction> = new Set(['APPROVE', 'CANCEL'])

export function createActions(deps: ActionDeps) {
  const run = (tx: Transaction, ask: Ask, decision: Omit<Decision, keyof Ask>): Promise<JobRow> =>
    decide(tx, deps, { ...ask, ...decision })

  return {
    plain: (tx: Transaction, ask: Ask, action: PlainAction, reason?: string) =>
      run(tx, ask, {
        action,
        note: wordsOf(reason),
        async also(db, { id: jobId }) {
          if (ask.budget?.isCapped && endsOwnSpending.has(action))
            await deps.budgets.requireOwn(db, { jobId, budgetId: ask.budget.id })
        },
      }),

    /** The time to pay begins with it. */
    accept: (tx: Transaction, ask: Ask) =>
      run(tx, ask, {
        action: 'ACCEPT',
        changes: ({ deadlineAt }, { now }) => ({
          needsAcceptance: false,
          fundBy: fundByOf(now, deadlineAt),
        }),
      }),

    storeDelivery: createDeliveryStoring(deps),

    async deliver(tx: Transaction, ask: Ask, delivery: StoredDelivery | undefined): Promise<JobRow> {
      if (!delivery) {
        await lockFor(tx, deps, { ...ask, action: 'DELIVER' })
        throw new AppError('UNAVAILABLE', { message: 'The job changed just now. Try again.' })
      }
      return run(tx, ask, {
        action: 'DELIVER',
        note: delivery.note ?? undefined,
        changes: ({ paymentMethod }, { now }) => ({
          deliveryCid: delivery.cid,
          // The chain's own window counts as soon as it is known.
          reviewEndsAt: railOf(paymentMethod).holdsMoney ? addSeconds(now, REVIEW_PERIOD_SECONDS) : null,
        }),
        order: () => ({ deliveryHash: hashOf(delivery.cid) }),
        async also(db, { id: jobId, sellerId: ownerId }, { now: at }) {
          const { files, textCid } = delivery
          await insertDelivery(db, { jobId, ...delivery, files: files.map(({ id }) => id), at })
          await deps.jobFiles.send(db, files)
          if (textCid !== undefined) await deps.addFileOwner(db, { cid: textCid, ownerId })
        },
      })
    },

    requestChanges: (tx: Transaction, ask: Ask, reason?: string) =>
      run(tx, ask, {
        action: 'REQUEST_CHANGES',
        note: wordsOf(reason),
        changes: ({ changeRequests, dueAt }, { now }) => ({
          changeRequests: changeRequests + 1,
          reviewEndsAt: null,
          dueAt: laterOf(dueAt, addSeconds(now, REVIEW_PERIOD_SECONDS)),
          deadlineTold: false,
        }),
        also: (db, { id: jobId }) => saveChangeRequest(db, jobId, wordsOf(reason) ?? null),
      }),

    dispute: (tx: Transaction, ask: Ask, { reason, evidence = [] }: DisputeStatement) =>
      run(tx, ask, {
        action: 'DISPUTE',
        note: reason,
        changes: (_job, { now }) => ({
          undecidedAt: addSeconds(now, DISPUTE_PERIOD_SECONDS),
          reviewEndsAt: null,
        }),
        order: ({ actor }) => ({ onBehalfOf: partyOf(sideFor(actor)) }),
        async also(db, { id: jobId }, { actor, now: at }) {
          const by = sideFor(actor)
          await insertDispute(db, { jobId, openedBy: by, reason, at })
          if (evidence.length > 0) await insertEvidence(db, { jobId, by, reason, uris: evidence, at })
        },
      }),

    addEvidence: (tx: Transaction, ask: Ask, { reason, evidence = [] }: DisputeStatement) =>
      run(tx, ask, {
        action: 'ADD_EVIDENCE',
        note: reason,
        also: (db, { id: jobId }, { actor, now: at }) =>
          insertEvidence(db, { jobId, by: sideFor(actor), reason, uris: evidence, at }),
      }),

    offerSettlement: (tx: Transaction, ask: Ask, sellerBps: number) =>
      run(tx, ask, {
        action: 'OFFER_SETTLEMENT',
        note: `${sellerBps / 100}% for the seller.`,
        order: ({ actor }) => ({ onBehalfOf: partyOf(sideFor(actor)), sellerBps }),
        gas: OFFER_GAS,
        also: (db, { id: jobId }, { actor, now: at }) =>
          saveTerms(db, { jobId, offer: { by: sideFor(actor), sellerBps }, sellerBps: null, at }),
      }),

    acceptSettlement: (tx: Transaction, ask: Ask) =>
      run(tx, ask, {
        action: 'ACCEPT_SETTLEMENT',
        order: (made) => ({ onBehalfOf: partyOf(sideFor(made.actor)), sellerBps: offerIn(made).sellerBps }),
        also(db, { id: jobId }, made) {
          const offer = offerIn(made)
          return saveTerms(db, { jobId, offer, sellerBps: offer.sellerBps, at: made.now })
        },
      }),

    /** Decisions made by the clock. */
    expire: (tx: Transaction, jobId: string, now: Date) => run(tx, byClock(jobId), { action: 'EXPIRE', now }),
    autoRelease: (tx: Transaction, jobId: string, now: Date) =>
      run(tx, byClock(jobId), { action: 'AUTO_RELEASE', now }),
    lapse: (tx: Transaction, jobId: string, now: Date) => run(tx, byClock(jobId), { action: 'LAPSE', now }),
  }
}

export type Actions = ReturnType<typeof createActions>

const byClock = (jobId: string): Ask => ({ jobId, caller: 'PLATFORM', requestId: null })

/** What the escrow remembers of a delivery: the SHA-256 of its CID, which itself names the bytes. */
const hashOf = (cid: string): string => `0x${createHash('sha256').update(cid).digest('hex')}`

/** As the escrow does it: a deadline that is near or past moves; without one there stays none. */
const laterOf = (dueAt: Date | null, earliest: Date): Date | null =>
  dueAt !== null && dueAt < earliest ? earliest : dueAt

function sideFor(actor: Made['actor']): Side {
  if (actor === 'CLIENT' || actor === 'SELLER') return actor
  throw new Error(`${actor} is no side of a job`)
}

function offerIn({ offer }: Made) {
  if (!offer) throw new Error('a settlement was accepted that nobody offered')
  return offer
}
