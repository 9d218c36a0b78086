import { setTimeout as pause } from 'node:timers/promises'
import type { AgentCall } from '../call-agent.ts'
import { checkWork } from '../rules.ts'
import type { ConnectionRow } from '../store.ts'
import type { A2aAgent } from './a2a-agent.ts'

const LOOKS = 10
const PAUSE_MS = 1_000
/** No further look is begun after this. */
const PATIENCE_MS = 30_000

export type FinishTrial = (
  connection: ConnectionRow,
  taken: AgentCall,
  outputSchema: Record<string, unknown> | null,
) => Promise<AgentCall>

/** A test job waits a while for the result of its task, then calls the task off: nobody will come back to it. */
export function createTrials({ look, cancel }: Pick<A2aAgent, 'look' | 'cancel'>): FinishTrial {
  return async (connection, taken, outputSchema) => {
    if (taken.reply.kind !== 'TASK') return taken
    const { id } = taken.reply.task
    let last = taken
    const startedMs = performance.now()
    const mayLook = () => performance.now() - startedMs < PATIENCE_MS
    for (let looks = 0; looks < LOOKS && isRunning(last) && mayLook(); looks += 1) {
      await pause(PAUSE_MS)
      const found = await look(connection, id, outputSchema)
      if (found === 'LOST') return failed(last, 'The agent does not know its task any more.')
      last = found
    }
    const { reply } = last
    if (reply.kind !== 'TASK') return last
    const { stage } = reply.task
    if (stage.kind === 'DONE') return { ...last, reply: checkWork(reply.status, stage.work, stage.files) }
    if (stage.kind === 'ENDED') return failed(last, stage.error)
    await cancel(connection, id)
    return last
  }
}

const isRunning = ({ reply }: AgentCall): boolean =>
  reply.kind === 'TASK' && reply.task.stage.kind === 'RUNNING'

const failed = (call: AgentCall, error: string): AgentCall => ({
  ...call,
  reply: { kind: 'FAILURE', status: call.status, error },
})
