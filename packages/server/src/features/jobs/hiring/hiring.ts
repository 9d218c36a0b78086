import type { Budgets, Spend } from '../../../house/budgets.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { attempt, type Outcomes } from '../../../platform/fast/group-commit.ts'
import type { Notice } from '../../../platform/notices/notice.ts'
import type { ChainPort } from '../../../ports/chain/port.ts'
import type { Agreement } from '../lifecycle/agreement.ts'
import { foldUnpaid, noticeTo, usdc } from '../lifecycle/announcements.ts'
import type { DecisionDeps } from '../lifecycle/decisions.ts'
import { insertAgreements } from '../lifecycle/delivery-store.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { type JobBody, readNewJob } from '../lifecycle/read-new-job.ts'
import type { Hire } from '../lifecycle/rules.ts'
import { findHires, insertJobs } from '../lifecycle/store.ts'
import { type Client, draftFor } from './draft.ts'
import type { Reserved } from './reservations.ts'
import { readUnpaidRoom, type UnpaidLimits } from './unpaid-room.ts'

export interface HiringDeps extends Pick<DecisionDeps, 'clock' | 'newId' | 'notify'> {
  chain: ChainPort
  unpaidLimits: UnpaidLimits
  /** Files that clients uploaded before. */
  jobFiles: { lockForHire(tx: Queryable, wishes: readonly FileWish[]): Promise<LockedFiles> }
  budgets: Budgets
}

/** The uploads that a hire names. */
export interface FileWish {
  ownerId: string
  ids: readonly string[]
}

interface LockedFiles {
  /** Throws where the hire cannot have its files; else returns what takes them. */
  claim(wish: FileWish & { isPaid?: boolean | undefined }): (jobId: string) => void
  /** Makes them files of the jobs, which are there by now. */
  give(tx: Queryable): Promise<void>
}

export const filesIn = ({ client, body }: Pick<Hiring, 'client' | 'body'>): FileWish => ({
  ownerId: client.ownerId,
  ids: body.value.files ?? [],
})

/** One wish to hire. */
export interface Hiring {
  client: Client
  body: JobBody
  /** Where a quote set the id aside and began to count the deadline. */
  reserved?: Reserved | undefined
  /** The escrow holds its deposit already: the job is made whatever has become of its files, and of the budget. */
  isPaid?: boolean | undefined
  /** Its payment is taken in the same transaction: it takes no room of unpaid jobs, and its seller hears of it once it is paid. */
  paidInCall?: boolean
}

interface OpenedJob {
  job: JobRow
  agreement: Agreement | null
  /** Undefined where there is nothing to announce yet. */
  notice: Notice | undefined
}

/**
 * Opens jobs, many in one transaction: each with the first line of its timeline and the news to its seller. A wish that
 * cannot be granted is refused by itself.
 */
export function createHiring(deps: HiringDeps) {
  const { clock, newId, notify, chain, unpaidLimits, jobFiles, budgets } = deps
  function open(
    { client, body, reserved, paidInCall = false }: Hiring,
    hire: Hire | undefined,
    now: Date,
  ): OpenedJob {
    const given = readNewJob(body, reserved?.quotedAt ?? now)
    const draft = draftFor(hire, chain, { id: reserved?.id ?? newId(), given, client, paidInCall, now })
    const { job, agreement, agentName } = draft
    if (paidInCall) return { job, agreement, notice: undefined }
    const waits = job.needsAcceptance ? 'Accept the order or decline it.' : 'It waits for payment.'
    const message = `${agentName} is asked to work for ${usdc(job.priceMicro)}. ${waits}`
    const notice = noticeTo(job, 'SELLER', { type: 'JOB_CREATED', title: 'New job', message })
    return { job, agreement, notice: foldUnpaid(job, notice) }
  }

  async function createAll(tx: Transaction, hirings: readonly Hiring[]): Promise<Outcomes<JobRow>> {
    const now = clock.now()
    const hires = await findHires(
      tx,
      hirings.map(({ client, body: { value } }) => ({
        agentId: value.agentId,
        clientId: client.ownerId,
        serviceId: value.serviceId,
      })),
    )
    const pairs = hirings.flatMap(({ client, paidInCall }, index) => {
      if (paidInCall) return []
      const sellerId = hires.get(index)?.sellerId
      return sellerId === undefined ? [] : { clientId: client.ownerId, sellerId }
    })
    const room = await readUnpaidRoom(tx, unpaidLimits, pairs)
    const files = await jobFiles.lockForHire(tx, hirings.map(filesIn))
    const purse = await budgets.open(
      tx,
      hirings.flatMap(({ client: { budget }, body: { value } }) =>
        budget ? { budgetId: budget.id, agentId: value.agentId } : [],
      ),
    )
    const outcomes = hirings.map((hiring, index) =>
      attempt(() => {
        const opened = open(hiring, hires.get(index), now)
        const spend = spendOf(hiring, opened.job)
        if (spend && !spend.wasPaidBefore) purse.check(spend)
        const takeFiles = files.claim({ ...filesIn(hiring), isPaid: hiring.isPaid })
        if (!hiring.paidInCall) room.take({ clientId: opened.job.clientId, sellerId: opened.job.sellerId })
        takeFiles(opened.job.id)
        if (spend) purse.take(spend)
        return opened
      }),
    )
    const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
    if (opened.length > 0) {
      await insertJobs(
        tx,
        opened.map(({ job }) => ({ ...job, eventId: newId() })),
      )
      await insertAgreements(
        tx,
        opened.flatMap(({ job, agreement }) => (agreement ? [{ jobId: job.id, ...agreement }] : [])),
      )
      await files.give(tx)
      await purse.store()
      await notify(tx, ...opened.flatMap(({ notice }) => notice ?? []))
    }
    return outcomes.map((outcome) =>
      outcome.status === 'rejected' ? outcome : { status: 'fulfilled', value: outcome.value.job },
    )
  }

  return {
    createAll,
    /** By itself, for what else its transaction does. */
    async create(tx: Transaction, hiring: Hiring): Promise<JobRow> {
      const [outcome] = await createAll(tx, [hiring])
      if (outcome?.status === 'fulfilled') return outcome.value
      throw outcome?.reason
    },
  }
}

function spendOf({ client: { budget }, isPaid = false }: Hiring, job: JobRow): Spend | undefined {
  if (!budget) return undefined
  const { id: jobId, agentId, priceMicro: amountMicro } = job
  return { budgetId: budget.id, jobId, agentId, amountMicro, wasPaidBefore: isPaid }
}
