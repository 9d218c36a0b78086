import { sql } from '../../../platform/db/sql.ts'
import { startA2aAgent } from './start-a2a-agent.ts'
import { startConnections } from './start-connections.ts'

/** A world with jobs, and an A2A agent that they can go to. */
export async function startA2aConnections() {
  const world = await startConnections()
  const agent = await startA2aAgent()
  return {
    world,
    agent,
    /** What earlier tests left with the agent is over. */
    async forgetJobs(): Promise<void> {
      await world.db.run(sql`
        update agent_dispatches set state = 'STOPPED', next_attempt_at = null where state in ('PENDING', 'WORKING')`)
      agent.reset()
    },
    async close(): Promise<void> {
      await world.close()
      await agent.close()
    },
  }
}

export type A2aConnections = Awaited<ReturnType<typeof startA2aConnections>>
