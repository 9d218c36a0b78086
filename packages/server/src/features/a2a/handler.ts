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
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import type { A2ARequestHandler } from '@a2a-js/sdk/server'
import type { Log } from '../../platform/log/log.ts'
import { type Caller, requireHiring, requireReading } from './caller.ts'
import { toA2aError } from './errors.ts'
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
  respond: (text: string, message: Message) => Promise<Message>
  read: (id: string, caller: Caller) => Promise<Task>
  list: ReturnType<typeof createListing>
  cancel: (id: string, caller: Caller) => Promise<Task>
  /** The task of a caller, with the job to follow where there is one. */
  look: (id: string, caller: Caller) => Promise<Turn>
  following: Following
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

  async function turnOf({ message, metadata }: SendMessageRequest): Promise<Turn | Message> {
    requireHiring(caller)
    const said = readMessage(message, metadata)
    if (!message) throw new RequestMalformedError('message is required')
    const isForMarket = caller.agentWallet === undefined && said.agent === undefined && message.taskId === ''
    return isForMarket ? deps.respond(said.text, message) : deps.send(said, caller, message)
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

  async function* streamMessage(params: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const turn = await turnOf(params)
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

  const noPush = async (): Promise<never> => {
    throw new PushNotificationNotSupportedError()
  }

  return {
    getAgentCard: async () => card,
    getAuthenticatedExtendedAgentCard: async () => {
      throw new ExtendedAgentCardNotConfiguredError()
    },

    sendMessage: (params) =>
      guarded(async () => {
        const turn = await turnOf(params)
        if ('messageId' in turn) return turn
        const { task, job } = turn
        const isEnough = params.configuration?.returnImmediately === true || isAtRest(task) || !job
        const shown = isEnough ? task : await following.untilRest(job, caller)
        return withHistory(shown, params.configuration?.historyLength)
      }),

    sendMessageStream: (params) => guardedStream(streamMessage(params)),
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

    createTaskPushNotificationConfig: noPush,
    getTaskPushNotificationConfig: noPush,
    listTaskPushNotificationConfigs: noPush,
    deleteTaskPushNotificationConfig: noPush,
  }
}

function requireId(id: string): string {
  if (id.trim() === '') throw new RequestMalformedError('id is required')
  if (!/^[\w-]{1,100}$/.test(id)) throw unknownTask()
  return id
}
