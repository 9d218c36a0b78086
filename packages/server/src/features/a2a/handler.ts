import {
  type AgentCard,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  TaskState,
} from '@a2a-js/sdk'
import {
  type A2AError,
  ExtendedAgentCardNotConfiguredError,
  RequestMalformedError,
  TaskNotCancelableError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'
import type { Log } from '../../platform/log/log.ts'
import { type Caller, requireHiring, requireReading } from './caller.ts'
import { toA2aError } from './errors.ts'
import type { PushConfigs } from './push/configs.ts'
import type { Following } from './tasks/following.ts'
import type { createListing } from './tasks/listing.ts'
import type { Turn } from './tasks/paying.ts'
import { isAtRest, stateOf, terminalStates, withHistory } from './tasks/present.ts'
import { unknownTask } from './tasks/reading.ts'
import { readMessage } from './tasks/said.ts'
import type { Send } from './tasks/sending.ts'

export interface HandlerDeps {
  log: Log
  send: Send
  /** The marketplace's own response to a message that names no agent. */
  respond: (text: string, message: Message, caller: Caller) => Promise<Message>
  read: (id: string, caller: Caller) => Promise<Task>
  list: ReturnType<typeof createListing>
  cancel: (id: string, caller: Caller) => Promise<Task>
  /** The task of a caller, with the job to follow where there is one. */
  look: (id: string, caller: Caller) => Promise<Turn>
  following: Following
  push: PushConfigs
}

/** A2A's methods for one caller: what the SDK's transports call. */
export function createRequestHandler(deps: HandlerDeps, caller: Caller, card: AgentCard): A2ARequestHandler {
  const { following } = deps
  const fail = (error: unknown): A2AError => toA2aError(error, { log: deps.log, requestId: caller.requestId })

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw fail(error)
    }
  }

  async function turnOf(
    params: SendMessageRequest,
    { requestedVersion }: ServerCallContext,
  ): Promise<Turn | Message> {
    const { message, metadata, configuration } = params
    requireHiring(caller)
    const said = readMessage(message, metadata)
    if (!message) throw new RequestMalformedError('message is required')
    const isForMarket = caller.agentWallet === undefined && said.agent === undefined && message.taskId === ''
    if (isForMarket) return deps.respond(said.text, message, caller)
    const config = configuration?.taskPushNotificationConfig
    const checkRoom = config && deps.push.check(config, message.taskId, caller)
    const turn = await deps.send({ ...said, checkRoom }, caller, message)
    if (config) await deps.push.keepIfRoom(turn.task, config, { caller, wireVersion: requestedVersion })
    return turn
  }

  /** A stream that fails ends with an A2A error. */
  async function* guardedStream(
    stream: AsyncGenerator<StreamResponse, void, undefined>,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    try {
      yield* stream
    } catch (error) {
      throw fail(error)
    }
  }

  async function* follow({ task, job }: Turn): AsyncGenerator<StreamResponse, void, undefined> {
    yield { payload: { $case: 'task', value: task } }
    if (job) yield* following.updates(job, task, caller)
  }

  async function* streamMessage(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const turn = await turnOf(params, context)
    if ('messageId' in turn) yield { payload: { $case: 'message', value: turn } }
    else yield* follow(turn)
  }

  async function* subscribe(id: string): AsyncGenerator<StreamResponse, void, undefined> {
    requireReading(caller)
    const turn = await deps.look(requireId(id), caller)
    if (terminalStates.has(stateOf(turn.task)))
      throw new UnsupportedOperationError('This task has ended: there is nothing to subscribe to.')
    yield* follow(turn)
  }

  return {
    getAgentCard: async () => card,
    getAuthenticatedExtendedAgentCard: async () => {
      throw new ExtendedAgentCardNotConfiguredError()
    },

    sendMessage: (params, context) =>
      guarded(async () => {
        const turn = await turnOf(params, context)
        if ('messageId' in turn) return turn
        const { task, job } = turn
        const isEnough = params.configuration?.returnImmediately === true || isAtRest(task) || !job
        const shown = isEnough ? task : await following.untilRest(job, caller)
        return withHistory(shown, params.configuration?.historyLength)
      }),

    sendMessageStream: (params, context) => guardedStream(streamMessage(params, context)),
    resubscribe: ({ id }) => guardedStream(subscribe(id)),

    getTask: ({ id, historyLength }) =>
      guarded(async () => {
        requireReading(caller)
        return withHistory(await deps.read(requireId(id), caller), historyLength)
      }),

    listTasks: (params) =>
      guarded(async () => {
        requireReading(caller)
        return deps.list(params, caller)
      }),

    cancelTask: ({ id }) =>
      guarded(async () => {
        requireHiring(caller)
        const task = await deps.cancel(requireId(id), caller)
        if (stateOf(task) === TaskState.TASK_STATE_CANCELED) return task
        throw new TaskNotCancelableError('This task cannot be cancelled now.')
      }),

    createTaskPushNotificationConfig: (config, { requestedVersion: wireVersion }) =>
      guarded(async () => {
        deps.push.check(config, config.taskId, caller)
        const { task } = await deps.look(requireId(config.taskId), caller)
        const kept = await deps.push.keep(task, config, { caller, wireVersion })
        if (kept) return kept
        throw new UnsupportedOperationError('This task has ended: there is nothing to be notified of.')
      }),

    getTaskPushNotificationConfig: ({ taskId, id }) =>
      guarded(async () => {
        requireReading(caller)
        return deps.push.get(requireId(taskId), id, caller)
      }),

    listTaskPushNotificationConfigs: ({ taskId }) =>
      guarded(async () => {
        requireReading(caller)
        await deps.look(requireId(taskId), caller)
        return { configs: await deps.push.list(taskId, caller), nextPageToken: '' }
      }),

    deleteTaskPushNotificationConfig: ({ taskId, id }) =>
      guarded(async () => {
        requireHiring(caller)
        await deps.look(requireId(taskId), caller)
        await deps.push.remove(taskId, id, caller)
      }),
  }
}

function requireId(id: string): string {
  if (id.trim() === '') throw new RequestMalformedError('id is required')
  if (!/^[\w-]{1,100}$/.test(id)) throw unknownTask()
  return id
}
