import { Type } from 'typebox'
import { type Task, type Tick, task } from '../../house/feature.ts'
import type { Looks } from './a2a/looks.ts'
import { DISPATCH_TASK, LOOK_TASK } from './dispatching/call-queue.ts'
import type { Dispatches } from './dispatching/dispatches.ts'

const INTERVAL_SECONDS = 5
/** Agents may take their thirty seconds; those of one seller hold at most a few of the lanes meanwhile. */
const LANES = 32
export const LANES_PER_SELLER = 4

/** The pauses between calls are the feature's own; what the queue repeats is only a call that broke off. */
export const connectionsTasks = ({ attempt, look }: Pick<Dispatches, 'attempt'> & Looks): Task[] => [
  task(DISPATCH_TASK, {
    schema: Type.Object({ dispatchId: Type.String(), attempt: Type.Integer({ minimum: 1 }) }),
    handler: attempt,
    concurrency: LANES,
    groupConcurrency: LANES_PER_SELLER,
  }),
  task(LOOK_TASK, {
    schema: Type.Object({ dispatchId: Type.String(), look: Type.Integer({ minimum: 1 }) }),
    handler: look,
    concurrency: LANES,
    groupConcurrency: LANES_PER_SELLER,
  }),
]

export const connectionsTicks = ({ keepUp, nextDueAt }: Pick<Dispatches, 'keepUp' | 'nextDueAt'>): Tick[] => [
  { name: 'agent-dispatch', seconds: INTERVAL_SECONDS, handler: keepUp, nextDueAt },
]
