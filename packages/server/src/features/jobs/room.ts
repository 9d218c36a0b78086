import type { JobParty } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import {
  type JudgeDeps,
  lockFor,
  type OwnerCalling,
  rolesOfCaller,
  unknownJob,
} from './lifecycle/decisions.ts'
import { hasDispute } from './lifecycle/dispute-store.ts'
import type { JobRow } from './lifecycle/job.ts'
import { findJob } from './lifecycle/store.ts'
import type { Viewer } from './reading/present.ts'

/** A job as the room of its two parties needs it. */
export interface RoomJob {
  id: string
  title: string
  clientId: string
  sellerId: string
}

export type RoomAction = 'REPORT_PROGRESS' | 'MESSAGE'

const roomOf = ({ id, title, clientId, sellerId }: JobRow): RoomJob => ({
  id,
  title,
  clientId,
  sellerId,
})

/** Who enters the room of a job. */
export function createRoomDoor(deps: JudgeDeps & { db: Queryable }) {
  return {
    /** The job, locked, for somebody who writes; throws where the table does not allow it. */
    async lockRoom(
      tx: Queryable,
      jobId: string,
      caller: OwnerCalling,
      action: RoomAction,
    ): Promise<RoomJob & { actor: JobParty }> {
      const { job, made } = await lockFor(tx, deps, { jobId, action, caller })
      return { ...roomOf(job), actor: made.actor }
    },

    /** The job for somebody who reads: a party, or an admin who may have to rule on it. */
    async readRoom(jobId: string, viewer: Viewer): Promise<RoomJob> {
      const job = await findJob(deps.db, jobId)
      if (!job) throw unknownJob()
      const isParty = rolesOfCaller(job, viewer).length > 0
      if (!isParty && !(await hasDispute(deps.db, jobId))) throw unknownJob()
      return roomOf(job)
    },
  }
}
