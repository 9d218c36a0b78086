import type { ListTasksRequest, ListTasksResponse, Task, TaskState } from '@a2a-js/sdk'
import { RequestMalformedError } from '@a2a-js/sdk/errors'
import { Type } from 'typebox'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { createCursors } from '../../../platform/http/cursor.ts'
import type { Caller } from '../caller.ts'
import { countTasks, listTaskIds } from '../store.ts'
import { stateOf, withHistory } from './present.ts'

const DEFAULT_PAGE = 20
const MAX_PAGE = 50
const UNSPECIFIED: TaskState = 0

const Place = Type.Object({ createdAt: Type.String(), id: Type.String() })

export interface ListingDeps {
  db: Queryable
  secret: string
  read: (id: string, caller: Caller) => Promise<Task>
}

/** The caller's own tasks, newest first. Callers without an account get none: nothing shows which are theirs. */
export function createListing({ db, secret, read }: ListingDeps) {
  const cursors = createCursors(Place, { secret, list: 'a2a-tasks' })

  return async function list(params: ListTasksRequest, caller: Caller): Promise<ListTasksResponse> {
    const { pageSize = DEFAULT_PAGE, pageToken, status, historyLength, includeArtifacts } = params
    if (pageSize < 0 || (historyLength ?? 0) < 0)
      throw new RequestMalformedError('pageSize and historyLength must not be negative')
    const limit = Math.min(pageSize === 0 ? DEFAULT_PAGE : pageSize, MAX_PAGE)
    const ownerId = caller.principal?.ownerId
    if (ownerId === undefined) return { tasks: [], nextPageToken: '', pageSize: limit, totalSize: 0 }
    const { agentWallet } = caller
    const filter = { ownerId, agentWallet, contextId: params.contextId || undefined }
    const at = pageToken === '' ? undefined : cursors.read(pageToken, filter)
    const after = at && { createdAt: new Date(at.createdAt), id: at.id }
    const found = await listTaskIds(db, filter, { after, limit: limit + 1 })
    const page = found.slice(0, limit)
    const tasks = await Promise.all(page.map(({ id }) => read(id, caller)))
    const since = params.statusTimestampAfter
    const wanted = tasks.filter(
      (task) =>
        (status === UNSPECIFIED || stateOf(task) === status) &&
        (since === undefined || since === '' || new Date(task.status?.timestamp ?? 0) >= new Date(since)),
    )
    const last = page.at(-1)
    const place = last && { createdAt: last.createdAt.toISOString(), id: last.id }
    return {
      tasks: wanted.map((task) => ({
        ...withHistory(task, historyLength ?? 0),
        ...(!includeArtifacts && { artifacts: [] }),
      })),
      nextPageToken: found.length > limit && place ? cursors.write(place, filter) : '',
      pageSize: limit,
      totalSize: await countTasks(db, filter),
    }
  }
}
