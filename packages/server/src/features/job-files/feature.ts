import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { createFileDoor, type FileDoor, type FileDoorDeps, type StoredJobFile } from './file-door.ts'
import { jobFilesRoutes } from './routes.ts'

interface Deps<File extends StoredJobFile> extends Ground {
  jobs: FileDoorDeps<File>['jobs']
  files: { jobFiles: FileDoorDeps<File>['files'] }
}

/** Files that go into a job, or wait for one, and come out of it. */
export function defineFeature<File extends StoredJobFile>({ jobs, files }: Deps<File>): Feature<FileDoor> {
  const door = createFileDoor({ jobs, files: files.jobFiles })
  return { api: door, routes: jobFilesRoutes(door) }
}
