import {
  AppError,
  type BodyValue,
  type createJob,
  type KycStatus,
  type Review,
} from '@agent-marketplace/contract'
import type { Intents } from '../../money/intents.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { ChainPort } from '../../ports/chain/port.ts'
import { type ActionDeps, createActions } from './actions.ts'
import { noticeTo, usdc } from './announcements.ts'
import { createJobsConsole } from './console.ts'
import { type Caller, lockFor, rolesOfCaller, unknownJob } from './decisions.ts'
import { findDetail, type JobDetails } from './detail-store.ts'
import { createEscrowPayments, type EscrowPaymentDeps } from './escrow-payment.ts'
import type { JobRow } from './job.ts'
import type { Viewer } from './present.ts'
import { checkHireable, openJob, readNewJob, rolesOf, termsOf } from './rules.ts'
import { findHire, findJob, insertJob, type JobFilter, type ListedJob, listJobs } from './store.ts'

/**
 * Jobs, from hire to payout. It promises: a job moves only as the table of transitions says; every move is stored with
 * its order to the escrow, its timeline and its news, or not at all; money moves at most once, whatever is repeated or
 * raced; and the status follows the chain, also when somebody acts there without the service, and when it reorganises.
 */
export interface JobsDeps extends ActionDeps, Omit<EscrowPaymentDeps, keyof ActionDeps> {
  chain: ChainPort
  intents: Intents
  cursors: JobCursors
  reviewOf: (db: Queryable, jobId: string) => Promise<Review | null>
  /** In the transaction that makes the job: it is large, and its buyer is not verified. */
  onAmlFlagged: (tx: Queryable, job: { jobId: string; ownerId: string; amountMicro: bigint }) => Promise<void>
}

export interface JobPosition {
  createdAt: string
  id: string
}

/** Signed positions in a list, bound to its filter. */
export interface JobCursors {
  write(position: JobPosition, filter: unknown): string
  read(cursor: string, filter: unknown): JobPosition
}

type CreateBody = BodyValue<NonNullable<(typeof createJob)['body']>>

export function createJobsService(deps: JobsDeps) {
  const { db, clock, newId, chain } = deps

  async function detailFor(queryable: Queryable, jobId: string, viewer: Viewer): Promise<JobDetails> {
    const row = await findDetail(queryable, jobId)
    // The same answer for a job of others and for one that never was.
    if (!row || (!viewer.isAdmin && rolesOf(row, viewer.ownerId).length === 0)) throw unknownJob()
    return { ...row, review: row.status === 'COMPLETED' ? await deps.reviewOf(queryable, jobId) : null }
  }

  return {
    async create(
      tx: Transaction,
      { ownerId, kycStatus }: { ownerId: string; kycStatus: KycStatus },
      body: CreateBody,
    ): Promise<JobRow> {
      const now = clock.now()
      const given = readNewJob(body, now)
      const hire = await findHire(tx, { agentId: given.agentId, clientId: ownerId })
      if (!hire) throw new AppError('NOT_FOUND', { message: 'There is no such agent.' })
      checkHireable(hire)
      const client = { clientId: ownerId, isVerified: kycStatus === 'VERIFIED', now }
      const opened = openJob(newId(), given, hire, client)
      const isEscrow = opened.payment_method === 'ESCROW'
      const job = { ...opened, escrow_key: isEscrow ? chain.escrow.keyOf(termsOf(opened, chain)) : null }
      await insertJob(tx, job, newId())
      if (job.aml_flagged) {
        await deps.onAmlFlagged(tx, { jobId: job.id, ownerId, amountMicro: job.price_micro })
      }
      const message = `${hire.agent_name} is asked to work for ${usdc(job.price_micro)}. It waits for payment.`
      await deps.notify(tx, noticeTo(job, 'SELLER', { type: 'JOB_CREATED', title: 'New job', message }))
      return job
    },

    /** In the transaction that has just changed it. */
    detailFor,
    detailOf: (jobId: string, viewer: Viewer) => detailFor(db, jobId, viewer),

    async list(
      filter: JobFilter,
      { limit, cursor }: { limit: number; cursor: string | undefined },
    ): Promise<{ jobs: ListedJob[]; nextCursor: string | null }> {
      const at = cursor === undefined ? undefined : deps.cursors.read(cursor, filter)
      const after = at && { createdAt: new Date(at.createdAt), id: at.id }
      // One more than asked for tells whether there is a next page.
      const found = await listJobs(db, { ...filter, limit: limit + 1, after })
      const jobs = found.slice(0, limit)
      const last = jobs.at(-1)
      if (found.length <= limit || !last) return { jobs, nextCursor: null }
      const position = { createdAt: last.created_at.toISOString(), id: last.id }
      return { jobs, nextCursor: deps.cursors.write(position, filter) }
    },

    /** The job for somebody who may see it, and whether they are its client. */
    async find(
      jobId: string,
      caller: Exclude<Caller, 'PLATFORM'>,
    ): Promise<{ job: JobRow; isClient: boolean }> {
      const job = await findJob(db, jobId)
      if (!job) throw unknownJob()
      return { job, isClient: rolesOfCaller(job, caller).includes('CLIENT') }
    },

    /** Throws unless the job may be paid for now; locks it until the transaction ends. */
    checkPayable: async (tx: Queryable, jobId: string, caller: Caller): Promise<void> => {
      await lockFor(tx, deps, { jobId, action: 'pay', caller })
    },

    checkPayableNow: async (jobId: string, caller: Caller): Promise<void> => {
      await lockFor(db, deps, { jobId, action: 'pay', caller })
    },

    /** The job for a review or a reply, locked; throws where the table does not allow one. */
    lockForReview: async (
      tx: Queryable,
      jobId: string,
      caller: Caller,
      action: 'review' | 'replyToReview',
    ): Promise<JobRow> => (await lockFor(tx, deps, { jobId, action, caller })).job,

    /** For admins. */
    console: createJobsConsole(deps),

    actions: createActions(deps),
    escrowPayments: createEscrowPayments(deps),
  }
}

export type JobsService = ReturnType<typeof createJobsService>
