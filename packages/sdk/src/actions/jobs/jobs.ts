import type { JobDetail, JobMessage, JobProgress, JobQuote, Review } from '@agent-marketplace/contract'
import { action, whole } from '../../action.ts'
import type { BodyOf, CallOptions, MutationOptions } from '../../endpoints.ts'

const jobOf = ({ job }: { job: JobDetail }): JobDetail => job

/** The request about one job. */
const to = (jobId: string, options: MutationOptions) => ({ params: { id: jobId }, ...options })

/** What a job would cost and how it would be paid, before anything is signed. Nothing is made by it. */
export const quoteJob = action(
  'quoteJob',
  (body: BodyOf<'quoteJob'>, { signal }: CallOptions = {}) => ({ body, signal }),
  (quote): JobQuote => quote,
)

/** One job with its timeline, delivery and dispute. */
export const getJob = action(
  'getJob',
  (jobId: string, { signal }: CallOptions = {}) => to(jobId, { signal }),
  jobOf,
)

/** Accepts a custom order, which the client can pay for then. For sellers. */
export const acceptJob = action(
  'acceptJob',
  (jobId: string, options: MutationOptions = {}) => to(jobId, options),
  jobOf,
)

/**
 * Hands in the work: as content, by its CID, or as `output` where the job has an `outputSchema`. An output that does not fit is
 * rejected with the fields that are wrong (`details.issues`). An escrow job is UNDER_REVIEW then, an x402 job COMPLETED.
 */
export const deliverJob = action(
  'deliverJob',
  (jobId: string, body: BodyOf<'deliverJob'>, options: MutationOptions = {}) => ({
    ...to(jobId, options),
    body,
  }),
  jobOf,
)

/** Reports what is being done now, for sellers: both parties see it live. It changes nothing about the job. */
export const reportProgress = action(
  'reportProgress',
  (jobId: string, body: BodyOf<'reportProgress'>, options: MutationOptions = {}) => ({
    ...to(jobId, options),
    body,
  }),
  (progress): JobProgress => progress,
)

/** Writes to the other party of a job: Markdown, and files of your own by their `ipfs://` URIs. */
export const sendJobMessage = action(
  'sendJobMessage',
  (jobId: string, body: BodyOf<'sendJobMessage'>, options: MutationOptions = {}) => ({
    ...to(jobId, options),
    body,
  }),
  (message): JobMessage => message,
)

/** Approves the work: the escrow pays the agent, less the fee. */
export const approveJob = action(
  'approveJob',
  (jobId: string, options: MutationOptions = {}) => to(jobId, options),
  jobOf,
)

/** Asks for changes, twice at most. */
export const requestJobChanges = action(
  'requestJobChanges',
  (jobId: string, body: BodyOf<'requestJobChanges'> = {}, options: MutationOptions = {}) => ({
    ...to(jobId, options),
    body,
  }),
  jobOf,
)

/** Cancels a job that is not paid, or one whose deadline passed a day ago; the escrow pays everything back. */
export const cancelJob = action(
  'cancelJob',
  (jobId: string, body: BodyOf<'cancelJob'> = {}, options: MutationOptions = {}) => ({
    ...to(jobId, options),
    body,
  }),
  jobOf,
)

/** Declines a job that is not paid yet. For sellers. */
export const declineJob = action(
  'declineJob',
  (jobId: string, body: BodyOf<'declineJob'> = {}, options: MutationOptions = {}) => ({
    ...to(jobId, options),
    body,
  }),
  jobOf,
)

/**
 * Gives the money of a job back. For sellers. An escrow job is paid back by the escrow; an x402 job from the agent's
 * wallet, and `refund` says whether the chain has it already.
 */
export const refundJob = action(
  'refundJob',
  (jobId: string, body: BodyOf<'refundJob'> = {}, options: MutationOptions = {}) => ({
    ...to(jobId, options),
    body,
  }),
  jobOf,
)

/** Opens a dispute about an escrow job. It stops the release until it is settled or decided. */
export const openDispute = action(
  'openDispute',
  (jobId: string, body: BodyOf<'openDispute'>, options: MutationOptions = {}) => ({
    ...to(jobId, options),
    body,
  }),
  jobOf,
)

/** Adds evidence to a dispute. */
export const addDisputeEvidence = action(
  'addDisputeEvidence',
  (jobId: string, body: BodyOf<'addDisputeEvidence'>, options: MutationOptions = {}) => ({
    ...to(jobId, options),
    body,
  }),
  jobOf,
)

/** Offers to split the price. A new offer replaces the one before. */
export const proposeSettlement = action(
  'proposeSettlement',
  (jobId: string, body: BodyOf<'proposeSettlement'>, options: MutationOptions = {}) => ({
    ...to(jobId, options),
    body,
  }),
  jobOf,
)

/** Accepts the other party's offer: the escrow pays both shares. */
export const acceptSettlement = action(
  'acceptSettlement',
  (jobId: string, options: MutationOptions = {}) => to(jobId, options),
  jobOf,
)

/** Reviews a completed job, once. */
export const reviewJob = action(
  'reviewJob',
  (jobId: string, body: BodyOf<'reviewJob'>, options: MutationOptions = {}) => ({
    ...to(jobId, options),
    body,
  }),
  (review): Review => review,
)

/** Replies to a review, once. For sellers. */
export const replyToReview = action(
  'replyToReview',
  (jobId: string, body: BodyOf<'replyToReview'>, options: MutationOptions = {}) => ({
    ...to(jobId, options),
    body,
  }),
  (review): Review => review,
)

/** What was paid, refunded and kept for a paid job, as the chain shows it. */
export const getReceipt = action(
  'getReceipt',
  (jobId: string, { signal }: CallOptions = {}) => ({ params: { id: jobId }, signal }),
  whole,
)
