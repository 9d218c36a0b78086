import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { createRoomCursors } from './pages.ts'
import { createProgress } from './progress.ts'
import type { RoomDoor } from './room-door.ts'
import { jobRoomRoutes } from './routes.ts'

interface Deps extends Ground {
  jobs: RoomDoor
}

/** Where the two parties of a job see the work happen. */
export function defineFeature(deps: Deps): Feature<undefined> {
  const { sessionSecret } = deps.config
  const progress = createProgress({ ...deps, cursors: createRoomCursors(sessionSecret, 'job-progress') })
  return { api: undefined, routes: jobRoomRoutes({ progress }) }
}
