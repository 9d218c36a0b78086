import type { Dispute, Job } from '@agent-marketplace/contract'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { Hex } from '../../../ports/chain/port.ts'
import { presentDispute, presentJob } from '../reading/present.ts'
import {
  countDisputed,
  type DisputedJobRow,
  type DisputesPage,
  findDisputed,
  listDisputed,
  listJobsById,
} from './console-store.ts'

export interface DisputedJob {
  job: Job
  dispute: Dispute
  /** The job's key in the escrow. */
  escrowKey: Hex
}

const admin = { isAdmin: true }

/** Jobs and disputes as the admins' console reads them. */
export function createJobsConsole({ db, clock }: { db: Database; clock: Clock }) {
  const disputedJobOf = (row: DisputedJobRow): DisputedJob => {
    const dispute = presentDispute(row)
    if (dispute === null) throw new Error(`The job ${row.id} is not disputed`)
    const job = presentJob(row, row.dispute.offeredBy, admin, { now: clock.now() })
    return { job, dispute, escrowKey: row.escrowKey }
  }

  return {
    async jobsById(queryable: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Job>> {
      const rows = await listJobsById(queryable, ids)
      return new Map(rows.map((row) => [row.id, presentJob(row, row.offeredBy, admin, { now: clock.now() })]))
    },

    disputes: {
      async list(page: DisputesPage): Promise<{ disputes: DisputedJob[]; total: number }> {
        const [rows, total] = await Promise.all([listDisputed(db, page), countDisputed(db, page.status)])
        return { disputes: rows.map(disputedJobOf), total }
      },

      async find(queryable: Queryable, jobId: string): Promise<DisputedJob | undefined> {
        const row = await findDisputed(queryable, jobId)
        return row && disputedJobOf(row)
      },
    },
  }
}
