import type { SentFile, SentJob } from '@agent-marketplace/contract'
import type { Sealer } from '../../../platform/sealing/sealer.ts'
import { type AgentCall, type CallAgent, noResponse } from '../call-agent.ts'
import type { Found } from '../liveness/probes.ts'
import type { Reply } from '../reply.ts'
import { checkWork } from '../rules.ts'
import type { ConnectionRow } from '../store.ts'
import type { A2aClient, A2aResult, A2aTarget } from './a2a-client.ts'
import { hasUsableIds, readMessage, readTask } from './read-task.ts'
import { type Answer, jobMessage, replyMessage } from './write-message.ts'

type Schema = Record<string, unknown> | null
type Got = Awaited<ReturnType<A2aClient['send']>>

/** The result of polling a task; LOST where the agent no longer has it. */
export type Look = AgentCall | 'LOST'

/** Carries jobs, replies and questions about tasks to an agent of kind A2A. */
export function createA2aAgent({ client, sealer }: { client: A2aClient; sealer: Sealer }) {
  /** Undefined when the token was sealed under a key that is gone. */
  function targetOf({ agentId, sellerId, url, sealedToken }: ConnectionRow): A2aTarget | undefined {
    try {
      return {
        url,
        sellerId,
        token: sealedToken === null ? undefined : sealer.open(sealedToken, agentId).toString('utf8'),
      }
    } catch {
      return undefined
    }
  }

  async function withTarget<T>(
    connection: ConnectionRow,
    ask: (target: A2aTarget) => Promise<T>,
  ): Promise<T | AgentCall> {
    const target = targetOf(connection)
    return target ? ask(target) : noResponse('The token cannot be read. Set it again.')
  }

  const lookAt = async (target: A2aTarget, taskId: string, schema: Schema): Promise<Look> =>
    lookOf(await client.getTask(target, taskId), schema)

  const call: CallAgent = (connection, message, thread) =>
    withTarget(connection, async (target) => {
      const schema = message.job.outputSchema
      const found = thread.liveTaskId === null ? 'LOST' : await lookAt(target, thread.liveTaskId, schema)
      if (found !== 'LOST') return found
      const sent = jobMessage(thread, withoutCallback(message))
      // A test reads the card again: it is about the agent as it is now.
      return callOf(await client.send(target, sent, { isFresh: message.test }), schema)
    })

  return {
    call,

    look: (connection: ConnectionRow, taskId: string, schema: Schema): Promise<Look> =>
      withTarget(connection, (target) => lookAt(target, taskId, schema)),

    /** The buyer's reply, to the task that waits for it. */
    reply: (
      connection: ConnectionRow,
      thread: { messageId: string; contextId: string | null; taskId: string },
      reply: { answers: readonly Answer[]; files: readonly SentFile[] },
      schema: Schema,
    ): Promise<Look> =>
      withTarget(connection, async (target) =>
        lookOf(await client.send(target, replyMessage(thread, reply.answers, reply.files)), schema),
      ),

    cancel: async (connection: ConnectionRow, taskId: string): Promise<void> =>
      void (await withTarget(connection, (target) => client.cancelTask(target, taskId))),

    async probe(connection: ConnectionRow): Promise<Found> {
      const target = targetOf(connection)
      const result = target && (await client.probe(target))
      return result?.kind === 'OK' ? { isThere: true, skills: result.value } : { isThere: false }
    },
  }
}

export type A2aAgent = ReturnType<typeof createA2aAgent>

/** The agent is polled, so it needs no callback. */
const withoutCallback = (message: SentJob): SentJob => ({ ...message, callback: null })

const lookOf = (result: Got, schema: Schema): Look =>
  result.kind === 'LOST' ? 'LOST' : callOf(result, schema)

function callOf(result: Got, schema: Schema): AgentCall {
  if (result.kind !== 'OK') {
    const { status, error } = result
    return { headers: {}, status, text: null, reply: { kind: 'FAILURE', status, error } }
  }
  const { status, text } = result
  return { headers: {}, status, text, reply: replyOf(result, schema) }
}

function replyOf(
  { value, status }: Extract<A2aResult<unknown>, { kind: 'OK' }> & Got,
  schema: Schema,
): Reply {
  const failure = (error: string): Reply => ({ kind: 'FAILURE', status, error })
  if ('messageId' in value) {
    const result = readMessage(value, schema)
    return result
      ? checkWork(status, result.work, result.files)
      : failure('The agent returned a message without text, data or files.')
  }
  const task = readTask(value, schema)
  return hasUsableIds(task) ? { kind: 'TASK', status, task } : failure('The agent’s task has no usable id.')
}
