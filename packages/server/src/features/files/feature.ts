import type { Feature } from '../../house/feature.ts'
import type { Base } from '../../house/ground.ts'
import { addFileOwner, ownsFiles } from './file-owners.ts'
import { createJobFiles, type JobFiles } from './job-files/job-files.ts'
import { jobFilesTicks } from './job-files/sweep.ts'
import { createRecordedStorage, type RecordedStorage } from './recorded-storage.ts'
import { type FilesRoutesDeps, filesRoutes } from './routes.ts'

interface Deps extends Base {
  jobs: { isSharedByJob: FilesRoutesDeps['isSharedWith'] }
  rooms: { isSharedByMessage: FilesRoutesDeps['isSharedWith'] }
}

interface Api {
  /** What is kept for good, by its content alone. */
  storage: RecordedStorage
  /** Named files that the parties add to a job; see job-files/job-files.ts. */
  jobFiles: JobFiles
  addFileOwner: typeof addFileOwner
  ownsFiles: typeof ownsFiles
}

export function defineFeature({ config, db, clock, newId, storage: port, jobs, rooms }: Deps): Feature<Api> {
  const storage = createRecordedStorage({ db, clock, newId, storage: port })
  const { fileRetentionDays: retentionDays } = config
  return {
    api: {
      storage,
      jobFiles: createJobFiles({ db, clock, newId, storage: port }),
      addFileOwner,
      ownsFiles,
    },
    ticks: jobFilesTicks({ db, clock, storage: port, retentionDays }),
    routes: filesRoutes({
      db,
      clock,
      storage,
      isSharedWith: async (tx, reader, cid) =>
        (await jobs.isSharedByJob(tx, reader, cid)) || rooms.isSharedByMessage(tx, reader, cid),
    }),
  }
}
