import type { JobProgress, ProgressBody } from '@agent-marketplace/contract'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { createRoomCursors } from './pages.ts'
import { presentProgress } from './present.ts'
import { createProgress } from './progress.ts'
import type { RoomDoor, Visitor } from './room-door.ts'
import { jobRoomRoutes } from './routes.ts'

interface Deps extends Ground {
  jobs: RoomDoor
}

interface Api {
  reportProgress(tx: Transaction, jobId: string, caller: Visitor, report: ProgressBody): Promise<JobProgress>
}

/** Where the two parties of a job see the work happen. */
export function defineFeature(deps: Deps): Feature<Api> {
  const { sessionSecret } = deps.config
  const progress = createProgress({ ...deps, cursors: createRoomCursors(sessionSecret, 'job-progress') })
  return {
    api: {
      reportProgress: async (tx, jobId, caller, report) =>
        presentProgress(await progress.report(tx, jobId, caller, report)),
    },
    routes: jobRoomRoutes({ progress }),
  }
}
