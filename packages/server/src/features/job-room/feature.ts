import type { JobMessage, JobProgress, MessageBody, ProgressBody } from '@agent-marketplace/contract'
import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { listClientMessages } from './message-store.ts'
import { createMessages, type MessagesDeps } from './messages.ts'
import { createRoomCursors } from './pages.ts'
import { presentMessage, presentProgress } from './present.ts'
import { createProgress } from './progress.ts'
import type { RoomDoor, Visitor } from './room-door.ts'
import { jobRoomRoutes } from './routes.ts'

interface Deps extends Ground {
  jobs: RoomDoor
  files: Pick<MessagesDeps, 'ownsFiles' | 'jobFiles'>
}

interface Api {
  reportProgress(tx: Transaction, jobId: string, caller: Visitor, report: ProgressBody): Promise<JobProgress>
  sendMessage(
    tx: Transaction,
    jobId: string,
    caller: Visitor,
    message: MessageBody,
  ): Promise<{ seq: bigint; message: JobMessage }>
  /** The newest, in order of time. */
  newestMessages(viewer: Visitor, page: { jobId: string; limit: number }): Promise<JobMessage[]>
  newestProgress(viewer: Visitor, page: { jobId: string; limit: number }): Promise<JobProgress[]>
  clientMessages: typeof listClientMessages
}

/** Where the two parties of a job follow the work and write to each other. */
export function defineFeature(deps: Deps): Feature<Api> {
  const cursorsOf = (list: string) => createRoomCursors(deps.config.sessionSecret, list)
  const { ownsFiles, jobFiles } = deps.files
  const progress = createProgress({ ...deps, cursors: cursorsOf('job-progress') })
  const messages = createMessages({
    ...deps,
    ownsFiles,
    jobFiles,
    cursors: cursorsOf('job-messages'),
    followClient: (tx, written) => deps.happenings.announce(tx, 'job.clientWrote', written),
  })
  return {
    api: {
      reportProgress: async (tx, jobId, caller, report) =>
        presentProgress(await progress.report(tx, jobId, caller, report)),
      sendMessage: async (tx, jobId, caller, given) => {
        const sent = await messages.send(tx, jobId, caller, given)
        return { seq: sent.seq, message: presentMessage(sent) }
      },
      newestMessages: async (viewer, { jobId, limit }) =>
        (await messages.list(viewer, { jobId, limit, cursor: undefined })).rows.map(presentMessage),
      newestProgress: async (viewer, { jobId, limit }) =>
        (await progress.list(viewer, { jobId, limit, cursor: undefined })).rows.map(presentProgress),
      clientMessages: listClientMessages,
    },
    routes: jobRoomRoutes({ progress, messages }),
  }
}
