import type { Queryable } from '../../platform/db/queryable.ts'

export interface Visitor {
  ownerId: string
  isAdmin: boolean
}

export interface RoomJob {
  id: string
  title: string
  clientId: string
  sellerId: string
}

/** What the room needs of jobs: who may enter, and who may write. */
export interface RoomDoor {
  lockRoom(tx: Queryable, jobId: string, caller: Visitor, action: 'REPORT_PROGRESS'): Promise<RoomJob>
  readRoom(jobId: string, viewer: Visitor): Promise<RoomJob>
}
