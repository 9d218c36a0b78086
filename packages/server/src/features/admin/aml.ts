import { AppError, type Job } from '@agent-marketplace/contract'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { Audit } from './audit.ts'
import type { Decision } from './owners.ts'

export interface FlagRow {
  id: string
  jobId: string
  ownerId: string
  amountMicro: bigint
  note: string | null
  createdAt: Date
  resolvedAt: Date | null
}

export interface FlaggedJob {
  flag: FlagRow
  job: Job
}

export interface AmlDeps {
  db: Database
  clock: Clock
  newId: NewId
  audit: Audit
  /** Jobs as an admin sees them, by their ids. */
  jobsById: (db: Queryable, jobIds: readonly string[]) => Promise<ReadonlyMap<string, Job>>
}

const columns = sql`id, job_id, owner_id, amount_micro, note, created_at, resolved_at`

export function createAml({ db, clock, newId, audit, jobsById }: AmlDeps) {
  async function withJobs(queryable: Queryable, flags: readonly FlagRow[]): Promise<FlaggedJob[]> {
    const jobs = await jobsById(
      queryable,
      flags.map((flag) => flag.jobId),
    )
    return flags.map((flag) => {
      const job = jobs.get(flag.jobId)
      if (!job) throw new Error(`The flagged job ${flag.jobId} is not there`)
      return { flag, job }
    })
  }

  return {
    /** In the transaction that learns that the job is paid: unpaid ones would fill the queue for nothing. A job is flagged once. */
    async raise(
      tx: Queryable,
      { jobId, ownerId, amountMicro }: { jobId: string; ownerId: string; amountMicro: bigint },
    ): Promise<void> {
      await tx.run(sql`
        insert into aml_flags (id, job_id, owner_id, amount_micro, created_at)
        values (${newId()}, ${jobId}, ${ownerId}, ${amountMicro}, ${clock.now()}) on conflict (job_id) do nothing`)
    },

    async list(page: {
      status: 'OPEN' | 'RESOLVED' | undefined
      limit: number
      offset: number
    }): Promise<{ flags: FlaggedJob[]; total: number }> {
      const condition = conditionOf(page.status)
      const [rows, { count }] = await Promise.all([
        db.rows<FlagRow>(sql`
          select ${columns} from aml_flags where ${condition}
          order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`),
        db.one<{ count: bigint }>(sql`select count(*) from aml_flags where ${condition}`),
      ])
      return { flags: await withJobs(db, rows), total: Number(count) }
    },

    async resolve(tx: Transaction, { actor, subjectId, reason }: Decision): Promise<FlaggedJob> {
      const found = await tx.maybeOne<FlagRow>(
        sql`select ${columns} from aml_flags where id = ${subjectId} for update`,
      )
      if (!found) throw new AppError('NOT_FOUND', { message: 'There is no such flag.' })
      if (found.resolvedAt) {
        throw new AppError('INVALID_STATE', {
          message: 'The flag is resolved already.',
          details: { status: 'RESOLVED', allowed: ['OPEN'] },
        })
      }
      const flag = await tx.one<FlagRow>(sql`
        update aml_flags set note = ${reason}, resolved_at = ${clock.now()} where id = ${subjectId}
        returning ${columns}`)
      await audit.record(tx, actor, {
        action: 'aml_flag.resolved',
        subjectType: 'aml_flag',
        subjectId,
        before: { status: 'OPEN' },
        after: { status: 'RESOLVED' },
        reason,
      })
      const [flagged] = await withJobs(tx, [flag])
      if (!flagged) throw new Error('A flag without its job')
      return flagged
    },
  }
}

function conditionOf(status: 'OPEN' | 'RESOLVED' | undefined): Sql {
  if (status === undefined) return sql`true`
  return status === 'OPEN' ? sql`resolved_at is null` : sql`resolved_at is not null`
}
