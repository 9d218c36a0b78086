import type { JobParty } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'

export interface Visitor {
  ownerId: string
  isAdmin: boolean
  /** For which side they write, where they may be both. */
  side?: 'SELLER'
}

export interface RoomJob {
  id: string
  title: string
  clientId: string
  sellerId: string
}

/** What the room needs of jobs: who may enter, and who may write. */
export interface RoomDoor {
  /** `actor` is the side for which the caller writes. */
  lockRoom(
    tx: Queryable,
    jobId: string,
    caller: Visitor,
    action: 'REPORT_PROGRESS' | 'MESSAGE',
  ): Promise<RoomJob & { actor: JobParty }>
  readRoom(jobId: string, viewer: Visitor): Promise<RoomJob>
}
