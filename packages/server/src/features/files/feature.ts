import type { Feature } from '../../house/feature.ts'
import type { Base } from '../../house/ground.ts'
import type { StoragePort } from '../../ports/storage/port.ts'
import { addFileOwner } from './file-owners.ts'
import { createRecordedStorage } from './recorded-storage.ts'
import { type FilesRoutesDeps, filesRoutes } from './routes.ts'

interface Deps extends Base {
  jobs: { isSharedByJob: FilesRoutesDeps['isSharedWith'] }
}

interface Api {
  storage: StoragePort
  addFileOwner: typeof addFileOwner
}

export function defineFeature({ db, clock, storage: port, jobs }: Deps): Feature<Api> {
  const storage = createRecordedStorage({ db, clock, storage: port })
  return {
    api: { storage, addFileOwner },
    routes: filesRoutes({ db, clock, storage, isSharedWith: jobs.isSharedByJob }),
  }
}
