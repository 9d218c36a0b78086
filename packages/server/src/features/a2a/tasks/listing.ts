import type { ListTasksRequest, ListTasksResponse, Task, TaskState } from '@a2a-js/sdk'
import { RequestMalformedError } from '@a2a-js/sdk/errors'
import { Type } from 'typebox'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { createCursors } from '../../../platform/http/cursor.ts'
import type { Caller } from '../caller.ts'
import { countTasks, listTaskIds } from '../store.ts'
import { checkContextId } from './context-id.ts'
import { stateOf, statusesOf, withHistory } from './present.ts'

const DEFAULT_PAGE = 20
const MAX_PAGE = 50
const UNSPECIFIED: TaskState = 0
/** The most rows read for one page. Where few of them match, the page is short, and the next continues from there. */
const MAX_READ = 100

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
    check(params)
    const { pageSize = DEFAULT_PAGE, pageToken, status, historyLength, includeArtifacts } = params
    const limit = Math.min(pageSize === 0 ? DEFAULT_PAGE : pageSize, MAX_PAGE)
    const ownerId = caller.principal?.ownerId
    if (ownerId === undefined) return { tasks: [], nextPageToken: '', pageSize: limit, totalSize: 0 }
    const { agentWallet } = caller
    const statuses = status === UNSPECIFIED ? undefined : statusesOf(status)
    const filter = { ownerId, agentWallet, contextId: params.contextId || undefined, statuses }
    const bound = { ...filter, status, since: params.statusTimestampAfter || undefined }
    const at = pageToken === '' ? undefined : cursors.read(pageToken, bound)
    const isWanted = (task: Task) =>
      (status === UNSPECIFIED || stateOf(task) === status) &&
      (bound.since === undefined || new Date(task.status?.timestamp ?? 0) >= new Date(bound.since))
    const wanted: Task[] = []
    let after = at && { createdAt: new Date(at.createdAt), id: at.id }
    let isMore = true
    for (let readCount = 0; isMore && wanted.length < limit && readCount < MAX_READ; ) {
      // Where the first part has too few that are wanted, the next are large, however short the page.
      const size = readCount === 0 ? limit : Math.min(MAX_READ - readCount, MAX_PAGE)
      const found = await listTaskIds(db, filter, { after, limit: size + 1 })
      const part = found.slice(0, size)
      const tasks = await Promise.all(part.map(({ id }) => read(id, caller)))
      readCount += part.length
      const taken = tasks.filter(isWanted).slice(0, limit - wanted.length)
      wanted.push(...taken)
      const last = taken.at(-1)
      const end = wanted.length === limit && last ? tasks.indexOf(last) + 1 : part.length
      after = part[end - 1] ?? after
      isMore = found.length > end
    }
    const place = after && { createdAt: after.createdAt.toISOString(), id: after.id }
    return {
      tasks: wanted.map((task) => ({
        ...withHistory(task, historyLength ?? 0),
        ...(!includeArtifacts && { artifacts: [] }),
      })),
      nextPageToken: isMore && place ? cursors.write(place, bound) : '',
      pageSize: limit,
      totalSize: await countTasks(db, filter),
    }
  }
}

function check({ pageSize, historyLength, contextId, statusTimestampAfter }: ListTasksRequest): void {
  for (const [name, given] of Object.entries({ pageSize, historyLength }))
    if (given !== undefined && (!Number.isInteger(given) || given < 0))
      throw new RequestMalformedError(`${name} is a whole number, 0 or more`)
  checkContextId(contextId)
  if (statusTimestampAfter && Number.isNaN(Date.parse(statusTimestampAfter)))
    throw new RequestMalformedError('statusTimestampAfter is not a time')
}
