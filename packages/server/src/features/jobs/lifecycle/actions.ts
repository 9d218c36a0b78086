import { createHash } from 'node:crypto'
import {
  AppError,
  DISPUTE_PERIOD_SECONDS,
  type DisputeStatement,
  type JobFile,
  REVIEW_PERIOD_SECONDS,
  railOf,
} from '@agent-marketplace/contract'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { StoragePort } from '../../../ports/storage/port.ts'
import { checkDeliveryBody, checkOutput, type DeliveryBody } from './agreement.ts'
import {
  type Caller,
  type Decision,
  type DecisionDeps,
  decide,
  lockFor,
  type Made,
  rolesOfCaller,
} from './decisions.ts'
import { partyOf, type Side } from './escrow-facts.ts'
import {
  findOutputSchema,
  insertDelivery,
  insertDispute,
  insertEvidence,
  saveChangeRequest,
  saveTerms,
} from './history-store.ts'
import type { JobRow } from './job.ts'
import { fundByOf } from './rules.ts'
import { findJob } from './store.ts'

export interface ActionDeps extends DecisionDeps {
  db: Database
  storage: Pick<StoragePort, 'put'>
  /** Files that the parties brought into the job. */
  jobFiles: {
    sendable(
      db: Queryable,
      files: { jobId: string; ownerId: string; ids: string[] },
    ): Promise<DeliveredFile[]>
    send(tx: Queryable, files: readonly DeliveredFile[]): Promise<void>
    folderCidOf(files: readonly DeliveredFile[], more: readonly FolderEntry[]): Promise<string>
    byIds(db: Queryable, ids: readonly string[]): Promise<Map<string, JobFile>>
  }
  /** Says whose a stored file is. */
  addFileOwner: (db: Queryable, file: { cid: string; ownerId: string }) => Promise<void>
}

/** A file in the folder of a delivery. */
export interface FolderEntry {
  name: string
  cid: string
  dagBytes: bigint
}

/** The input of every action. */
export interface Ask {
  jobId: string
  caller: Caller
  requestId: string | null
}

type DeliveredFile = FolderEntry & { id: string }

export interface StoredDelivery {
  cid: string
  files: readonly DeliveredFile[]
  content: string | null
  note: string | null
  isJson: boolean
  /** Of the content alone, where it was handed in. */
  textCid?: string
}

/** All else happens a few times at most in a job; offers can be made without end. */
const OFFER_GAS = 100_000n

/** The words of the calls that only say why. */
export type PlainAction = 'CANCEL' | 'DECLINE' | 'REFUND' | 'APPROVE'

export function createActions(deps: ActionDeps) {
  /** As an entry of the delivery's folder, beside its files. */
  async function storeText(
    content: string,
    isJson: boolean,
    files: readonly FolderEntry[],
  ): Promise<FolderEntry> {
    const { cid, dagBytes } = await deps.storage.put(Buffer.from(content, 'utf8'))
    const name = freeName(isJson ? ['output', '.json'] : ['delivery', '.md'], files)
    return { name, cid, dagBytes: BigInt(dagBytes) }
  }

  const run = (tx: Transaction, ask: Ask, decision: Omit<Decision, keyof Ask>): Promise<JobRow> =>
    decide(tx, deps, { ...ask, ...decision })

  return {
    plain: (tx: Transaction, ask: Ask, action: PlainAction, reason?: string) =>
      run(tx, ask, { action, note: wordsOf(reason) }),

    /** The time to pay begins with it. */
    accept: (tx: Transaction, ask: Ask) =>
      run(tx, ask, {
        action: 'ACCEPT',
        changes: ({ deadlineAt }, { now }) => ({
          needsAcceptance: false,
          fundBy: fundByOf(now, deadlineAt),
        }),
      }),

    /**
     * Keeps the content first, since no network call belongs into a transaction. Nothing is kept for a job that takes no
     * delivery now; whether that is an error is decided in `deliver`, behind the Idempotency-Key.
     */
    async storeDelivery({ jobId, caller }: Ask, body: DeliveryBody): Promise<StoredDelivery | undefined> {
      const { deliveryCid, output, note } = body
      checkDeliveryBody(body)
      const job = await findJob(deps.db, jobId)
      const isDue = job?.status === 'IN_PROGRESS' && rolesOfCaller(job, caller).includes('SELLER')
      if (!isDue) return undefined
      checkOutput(body, await findOutputSchema(deps.db, jobId))
      const words = wordsOf(note) ?? null
      if (deliveryCid !== undefined) {
        const cid = deliveryCid.replace('ipfs://', '')
        return { cid, files: [], content: null, note: words, isJson: false }
      }
      const files = await deps.jobFiles.sendable(deps.db, {
        jobId,
        ownerId: job.sellerId,
        ids: body.files ?? [],
      })
      const isJson = output !== undefined
      const content = isJson ? JSON.stringify(output, null, 2) : (body.content ?? null)
      const text = content === null ? [] : [await storeText(content, isJson, files)]
      const [alone] = text
      const cid = files.length === 0 && alone ? alone.cid : await deps.jobFiles.folderCidOf(files, text)
      return { cid, files, content, note: words, isJson, ...(alone && { textCid: alone.cid }) }
    },

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

    /** What the clock decides. */
    expire: (tx: Transaction, jobId: string, now: Date) => run(tx, byClock(jobId), { action: 'EXPIRE', now }),
    autoRelease: (tx: Transaction, jobId: string, now: Date) =>
      run(tx, byClock(jobId), { action: 'AUTO_RELEASE', now }),
    lapse: (tx: Transaction, jobId: string, now: Date) => run(tx, byClock(jobId), { action: 'LAPSE', now }),
  }
}

export type Actions = ReturnType<typeof createActions>

const byClock = (jobId: string): Ask => ({ jobId, caller: 'PLATFORM', requestId: null })

const wordsOf = (text: string | undefined): string | undefined => text?.trim() || undefined

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

/** The seller chooses the names of files, so the text takes one that is left. */
function freeName([stem, extension]: [string, string], files: readonly FolderEntry[]): string {
  const taken = new Set(files.map(({ name }) => name))
  let name = `${stem}${extension}`
  for (let copy = 2; taken.has(name); copy += 1) name = `${stem}-${copy}${extension}`
  return name
}
