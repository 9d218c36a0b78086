import type { Feature } from '../../house/feature.ts'
import type { Base } from '../../house/ground.ts'
import type { StoragePort } from '../../ports/storage/port.ts'
import { addFileOwner, ownsFiles } from './file-owners.ts'
import { createRecordedStorage } from './recorded-storage.ts'
import { type FilesRoutesDeps, filesRoutes } from './routes.ts'

interface Deps extends Base {
  jobs: { isSharedByJob: FilesRoutesDeps['isSharedWith'] }
  rooms: { isSharedByMessage: FilesRoutesDeps['isSharedWith'] }
}

interface Api {
  storage: StoragePort
  addFileOwner: typeof addFileOwner
  ownsFiles: typeof ownsFiles
}

export function defineFeature({ db, clock, storage: port, jobs, rooms }: Deps): Feature<Api> {
  const storage = createRecordedStorage({ db, clock, storage: port })
  return {
    api: { storage, addFileOwner, ownsFiles },
    routes: filesRoutes({
      db,
      clock,
      storage,
      isSharedWith: async (tx, reader, cid) =>
        (await jobs.isSharedByJob(tx, reader, cid)) || rooms.isSharedByMessage(tx, reader, cid),
    }),
  }
}
