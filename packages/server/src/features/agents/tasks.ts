import type { Queue } from '../../platform/queue/queue.ts'
import type { AgentsService } from './service.ts'

const UPKEEP_SECONDS = 60

/** Ends premium listings that ran out, and forgets old reservations. */
export function agentsTasks({ agents, queue }: { agents: AgentsService; queue: Pick<Queue, 'every'> }): void {
  queue.every('agents-upkeep', UPKEEP_SECONDS, agents.keepUp)
}
