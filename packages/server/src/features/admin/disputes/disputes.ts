import { AppError, type Dispute, invalidField, type Job } from '@agent-marketplace/contract'
import type { Steps } from '../../../house/steps.ts'
import type { Intents } from '../../../money/intents/intents.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { NewId } from '../../../platform/id/id.ts'
import type { ArbiterSafe, Hex, SafeState } from '../../../ports/chain/port.ts'
import type { Actor, Audit } from '../audit.ts'
import { checkRulable, failureText, isArbiter } from '../rules.ts'
import { RULING_KIND, type RulingOrder, rulingKeyOf } from './ruling-kind.ts'
import type { ProposalRow } from './ruling-store.ts'
import * as store from './ruling-store.ts'

/** A disputed job as the console needs it. `escrowKey` is the job's key in the escrow. */
export interface DisputedJob {
  job: Job
  dispute: Dispute
  escrowKey: Hex
}

export interface DisputeSource {
  /** The ones that lapse first come first. */
  list(page: {
    status: 'OPEN' | 'CLOSED' | undefined
    limit: number
    offset: number
  }): Promise<{ disputes: DisputedJob[]; total: number }>
  find(db: Queryable, jobId: string): Promise<DisputedJob | undefined>
}

export interface DisputesDeps {
  db: Database
  clock: Clock
  newId: NewId
  audit: Audit
  disputes: DisputeSource
  safe: ArbiterSafe
  /** Who may rule now, as the escrow has it. */
  readArbiter: () => Promise<string>
  intents: Pick<Intents, 'create' | 'kick'>
}

export interface RuledDispute extends DisputedJob {
  proposal: ProposalRow | undefined
  /** The last one, when it failed and nothing has taken its place. */
  failedProposal: ProposalRow | undefined
}

interface ProposalOrder {
  actor: Actor
  jobId: string
  sellerBps: number
}

interface ConfirmationOrder {
  actor: Actor
  jobId: string
  signature: Hex
}

function withProposal(dispute: DisputedJob, newest: ProposalRow | undefined): RuledDispute {
  const hasFailed = newest?.status === 'FAILED'
  return {
    ...dispute,
    proposal: hasFailed ? undefined : newest,
    failedProposal: hasFailed ? newest : undefined,
  }
}

/**
 * Rulings. The service proposes and carries; only the Safe's owners decide. Every proposal takes the Safe's next nonce,
 * so of all that are open at most one can be executed: the others are then out of date and are proposed again.
 */
export function createDisputes(deps: DisputesDeps) {
  const { db, clock, newId, audit, disputes, safe, intents } = deps

  async function existing(queryable: Queryable, jobId: string): Promise<DisputedJob> {
    const dispute = await disputes.find(queryable, jobId)
    if (!dispute) throw new AppError('NOT_FOUND', { message: 'There is no dispute about such a job.' })
    return dispute
  }

  const find = async (queryable: Queryable, jobId: string): Promise<RuledDispute> =>
    withProposal(await existing(queryable, jobId), await store.findNewest(queryable, jobId))

  /** What the Safe would execute next, and who may sign it. */
  async function readSafe(): Promise<SafeState> {
    const arbiter = await deps.readArbiter()
    if (!isArbiter(safe, arbiter)) throw notArbiter(arbiter)
    try {
      return await safe.readState()
    } catch (cause) {
      throw new AppError('UNAVAILABLE', { message: 'The chain is not responding right now.', cause })
    }
  }

  async function orderExecution(tx: Transaction, proposal: ProposalRow, state: SafeState, actor: Actor) {
    const isOwner = (address: Hex) => state.owners.includes(address)
    const signatures = (await store.listConfirmations(tx, proposal.id)).filter(({ owner }) => isOwner(owner))
    if (signatures.length < state.threshold) return
    await store.saveSigned(tx, proposal.id)
    const payload: RulingOrder = {
      proposalId: proposal.id,
      jobId: proposal.jobId,
      escrowKey: proposal.escrowKey,
      sellerBps: proposal.sellerBps,
      safeNonce: proposal.safeNonce.toString(),
      signatures: signatures.slice(0, state.threshold),
    }
    const key = rulingKeyOf(proposal.id)
    await intents.create(tx, { kind: RULING_KIND, key, payload, requestId: actor.requestId })
    tx.afterCommit(intents.kick)
  }

  return {
    async list(
      page: Parameters<DisputeSource['list']>[0],
    ): Promise<{ disputes: RuledDispute[]; total: number }> {
      const found = await disputes.list(page)
      const newest = await store.listNewest(
        db,
        found.disputes.map(({ job }) => job.id),
      )
      const byJob = new Map(newest.map((proposal) => [proposal.jobId, proposal]))
      const ruled = found.disputes.map((dispute) => withProposal(dispute, byJob.get(dispute.job.id)))
      return { disputes: ruled, total: found.total }
    },

    find: (jobId: string) => find(db, jobId),

    async findToSign(jobId: string): Promise<ProposalRow> {
      const { proposal, failedProposal } = await find(db, jobId)
      if (!proposal) throw nothingToSign(failedProposal)
      return proposal
    },

    propose: ({ actor, jobId, sellerBps }: ProposalOrder): Steps<SafeState, RuledDispute> => ({
      prepare: readSafe,
      async decide(tx, state) {
        await store.lockProposals(tx, jobId)
        const { job, escrowKey, proposal: standing } = await find(tx, jobId)
        checkRulable(job)
        const ruling = { escrowKey, sellerBps, safeNonce: state.nonce }
        const { safeTxHash } = safe.planOf(ruling)
        if (standing) {
          checkOpen(standing, 'Enough owners have signed; it is being executed.')
          if (standing.safeTxHash === safeTxHash) return find(tx, jobId)
          await store.replaceProposal(tx, standing.id)
        }
        const { threshold } = state
        const proposedBy = actor.ownerId
        const now = clock.now()
        await store.insertProposal(tx, {
          ...ruling,
          id: newId(),
          jobId,
          safeTxHash,
          threshold,
          proposedBy,
          now,
        })
        await audit.record(tx, actor, {
          action: 'ruling.proposed',
          subjectType: 'job',
          subjectId: jobId,
          before: standing ? { sellerBps: standing.sellerBps, safeTxHash: standing.safeTxHash } : {},
          after: { sellerBps, safeTxHash },
        })
        return find(tx, jobId)
      },
    }),

    confirm: ({ actor, jobId, signature }: ConfirmationOrder): Steps<SafeState, RuledDispute> => ({
      prepare: readSafe,
      async decide(tx, state) {
        await store.lockProposals(tx, jobId)
        const { job, proposal, failedProposal } = await find(tx, jobId)
        if (!proposal) throw nothingToSign(failedProposal)
        checkOpen(proposal, 'Enough owners have signed already.')
        checkRulable(job)
        const isOfSafe = safe.planOf(store.rulingOf(proposal)).safeTxHash === proposal.safeTxHash
        if (proposal.safeNonce !== state.nonce || !isOfSafe) throw outOfDate()
        const signed = await safe.readSignature(store.rulingOf(proposal), signature)
        if (signed === undefined || !state.owners.includes(signed.owner)) {
          throw invalidField('/signature', 'was not made for this ruling by an owner of the Safe')
        }
        const isNew = await store.insertConfirmation(tx, proposal.id, signed, clock.now())
        if (!isNew) return find(tx, jobId)
        await orderExecution(tx, proposal, state, actor)
        const confirmed = await find(tx, jobId)
        await audit.record(tx, actor, {
          action: 'ruling.confirmed',
          subjectType: 'job',
          subjectId: jobId,
          before: { status: proposal.status, confirmations: proposal.confirmedBy },
          after: { status: confirmed.proposal?.status, confirmations: confirmed.proposal?.confirmedBy },
        })
        return confirmed
      },
    }),
  }
}

function checkOpen({ status }: ProposalRow, message: string): void {
  if (status !== 'OPEN')
    throw new AppError('INVALID_STATE', { message, details: { status, allowed: ['OPEN'] } })
}

function nothingToSign(failed: ProposalRow | undefined): AppError<'NOT_FOUND'> {
  const why = failed ? ` The last one failed. ${failureText(failed.failureReason)}` : ' Propose one.'
  return new AppError('NOT_FOUND', { message: `There is no ruling to sign.${why}` })
}

function notArbiter(arbiter: string): AppError<'INVALID_STATE'> {
  return new AppError('INVALID_STATE', {
    message: `The arbiter of the escrow is ${arbiter} now. This service rules by it once it is started again.`,
    details: { status: 'ARBITER_CHANGED', allowed: [] },
  })
}

function outOfDate(): AppError<'INVALID_STATE'> {
  return new AppError('INVALID_STATE', {
    message: 'The Safe has executed something else since. Propose the ruling again.',
    details: { status: 'OUT_OF_DATE', allowed: ['OPEN'] },
  })
}
