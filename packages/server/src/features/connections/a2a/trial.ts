import type { AgentCall } from '../call-agent.ts'
import { checkWork } from '../rules.ts'
import type { ConnectionRow } from '../store.ts'
import type { LookUntil } from '../trials/patience.ts'
import type { A2aAgent, Look } from './a2a-agent.ts'

export type FinishTrial = (
  connection: ConnectionRow,
  taken: AgentCall,
  outputSchema: Record<string, unknown> | null,
) => Promise<AgentCall>

/** A test job waits a while for the result of its task, then cancels the task: nothing will poll it later. */
export function createTrials(
  { look, cancel }: Pick<A2aAgent, 'look' | 'cancel'>,
  lookUntil: LookUntil,
): FinishTrial {
  return async (connection, taken, outputSchema) => {
    if (taken.reply.kind !== 'TASK') return taken
    const { id } = taken.reply.task
    const last = await lookUntil<Look>(taken, hasEnded, () => look(connection, id, outputSchema))
    if (last === 'LOST') return failed(taken, 'The agent does not know its task any more.')
    const { reply } = last
    if (reply.kind !== 'TASK') return last
    const { stage } = reply.task
    if (stage.kind === 'DONE') return { ...last, reply: checkWork(reply.status, stage.work, stage.files) }
    if (stage.kind === 'ENDED') return failed(last, stage.error)
    await cancel(connection, id)
    return last
  }
}

const hasEnded = (found: Look): boolean =>
  found === 'LOST' || found.reply.kind !== 'TASK' || found.reply.task.stage.kind !== 'RUNNING'

const failed = (call: AgentCall, error: string): AgentCall => ({
  ...call,
  reply: { kind: 'FAILURE', status: call.status, error },
})
