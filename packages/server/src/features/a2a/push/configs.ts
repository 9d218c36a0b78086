import type { Task, TaskPushNotificationConfig } from '@a2a-js/sdk'
import {
  PushNotificationNotSupportedError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import { AppError } from '@agent-marketplace/contract'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { type Caller, requireHiring, requireReading } from '../caller.ts'
import { stateOf, terminalStates } from '../tasks/present.ts'
import type { Reading } from '../tasks/reading.ts'
import type { CheckRoom } from '../tasks/said.ts'
import { type GivenConfig, readConfig } from './given-config.ts'
import type { PushLooks } from './looking.ts'
import type { PushPace } from './pace.ts'
import {
  countConfigs,
  insertConfig,
  listConfigs,
  listReceiversOf,
  lockConfigsOf,
  type PushConfigRow,
} from './store.ts'

const MAX_PER_TASK = 5
const MAX_PER_ACCOUNT = 100

export interface PushConfigsDeps {
  db: Database
  /** Real time. */
  clock: Clock
  reading: Pick<Reading, 'find'>
  looks: Pick<PushLooks, 'noticeTask'>
  pace: PushPace
  receivers: {
    add: (
      tx: Queryable,
      given: { ownerId: string; url: string; headers: Readonly<Record<string, string>> },
    ) => Promise<{ id: string; url: string }>
    /** Throws for URLs that are never called. */
    checkUrl: (url: string) => void
    remove: (tx: Queryable, ids: readonly string[]) => Promise<void>
  }
}

/** Where callers want to be notified of their tasks. An account has its own; others that may read the task do not see them. */
export function createPushConfigs({ db, clock, reading, looks, pace, receivers }: PushConfigsDeps) {
  async function checkRoom(db: Queryable, taskId: string, ownerId: string, name: string): Promise<void> {
    const { ofTask, ofOwner } = await countConfigs(db, { taskId, ownerId, name })
    if (ofTask >= MAX_PER_TASK)
      throw new UnsupportedOperationError(
        `A task has ${MAX_PER_TASK} push notification configurations at most.`,
      )
    if (ofOwner >= MAX_PER_ACCOUNT)
      throw new UnsupportedOperationError(
        `An account has ${MAX_PER_ACCOUNT} push notification configurations at most. Delete some first.`,
      )
  }

  async function store(
    tx: Queryable,
    given: GivenConfig,
    of: { taskId: string; ownerId: string; wireVersion: string; keySession: string | null },
  ) {
    await lockConfigsOf(tx, of.ownerId)
    await checkRoom(tx, of.taskId, of.ownerId, given.name)
    const former = (await listConfigs(tx, of)).find(({ name }) => name === given.name)
    await pace.take(of.ownerId)
    if (former) await receivers.remove(tx, [former.receiverId])
    const { id, url } = await receivers.add(tx, { ...given, ownerId: of.ownerId })
    const { name, scheme } = given
    await insertConfig(tx, { receiverId: id, name, scheme, ...of, createdAt: clock.now() })
    await looks.noticeTask(tx, of.taskId)
    return url
  }

  async function findOwn(caller: Caller, taskId: string, id: string): Promise<PushConfigRow | undefined> {
    const rows = await listConfigs(db, { taskId, ownerId: accountOf(caller) })
    return rows.find(({ name }) => name === (id === '' ? taskId : id))
  }

  /** Undefined where the task has ended, or is not the caller's: there is nothing to be notified of. */
  async function keep(
    task: Task,
    config: TaskPushNotificationConfig,
    { caller, wireVersion }: { caller: Caller; wireVersion: string },
  ): Promise<TaskPushNotificationConfig | undefined> {
    const ownerId = setterOf(caller)
    const { id: taskId } = task
    const given = readConfig(config, { taskId, wireVersion })
    if (terminalStates.has(stateOf(task)) || !(await reading.find(taskId, caller)).isOpen) return undefined
    const url = await db.transaction((tx) =>
      store(tx, given, { taskId, ownerId, wireVersion, keySession: keySessionOf(caller) }),
    )
    return { ...config, tenant: '', taskId, id: given.name, url }
  }

  return {
    /**
     * Before a message that carries one is acted on: what is wrong with it must not come up once it is paid. Returns the check
     * of whether there is room for it, for messages that are no repetition.
     */
    check(config: TaskPushNotificationConfig, taskId: string, caller: Caller): CheckRoom {
      const ownerId = setterOf(caller)
      const given = readConfig(config, { taskId, wireVersion: '' })
      receivers.checkUrl(given.url)
      return async (queryable) => {
        pace.check(ownerId)
        await checkRoom(queryable, taskId, ownerId, given.name)
      }
    },

    keep,

    /** After a message, which stands: what was ordered before is returned also where there is no room any more. */
    async keepIfRoom(...given: Parameters<typeof keep>): Promise<void> {
      try {
        await keep(...given)
      } catch (error) {
        const isTooFast = error instanceof AppError && error.code === 'RATE_LIMIT_EXCEEDED'
        if (!isTooFast && !(error instanceof UnsupportedOperationError)) throw error
      }
    },

    async list(taskId: string, caller: Caller): Promise<TaskPushNotificationConfig[]> {
      return (await listConfigs(db, { taskId, ownerId: accountOf(caller) })).map(present)
    },

    async get(taskId: string, id: string, caller: Caller): Promise<TaskPushNotificationConfig> {
      const found = await findOwn(caller, taskId, id)
      if (!found) throw new TaskNotFoundError('There is no such push notification configuration.')
      return present(found)
    },

    /** Nothing is sent any more, also nothing that waits to be. */
    async remove(taskId: string, id: string, caller: Caller): Promise<void> {
      const found = await findOwn(caller, taskId, id)
      if (found) await db.transaction((tx) => receivers.remove(tx, [found.receiverId]))
    },

    /** Of tasks that are gone. */
    async forget(tx: Queryable, taskIds: readonly string[]): Promise<void> {
      const gone = await listReceiversOf(tx, taskIds)
      await receivers.remove(
        tx,
        gone.map(({ receiverId }) => receiverId),
      )
    },
  }
}

export type PushConfigs = ReturnType<typeof createPushConfigs>

/** What this service sends, and how much of it, is counted to an account. */
function accountOf({ principal }: Caller): string {
  if (principal) return principal.ownerId
  throw new PushNotificationNotSupportedError(
    'Push notifications need an account: send a session or an API key. Without one, stream the task or read it.',
  )
}

/** What is sent is what the caller may read. A connected app would receive it after it is disconnected. */
function setterOf(caller: Caller): string {
  if (caller.principal?.clientId !== undefined)
    throw new UnsupportedOperationError(
      'Connected apps get no push notifications. Stream the task or read it.',
    )
  requireReading(caller)
  requireHiring(caller)
  return accountOf(caller)
}

const keySessionOf = ({ principal }: Caller): string | null =>
  principal?.scopes ? principal.sessionId : null

/** Secrets leave in the response to their own call alone. */
const present = ({ taskId, name, url, scheme }: PushConfigRow): TaskPushNotificationConfig => ({
  tenant: '',
  id: name,
  taskId,
  url,
  token: '',
  authentication: scheme === '' ? undefined : { scheme, credentials: '' },
})
