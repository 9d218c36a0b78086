import { Type } from 'typebox'
import { type Task, type Tick, task } from '../../house/feature.ts'
import { DISPATCH_TASK } from './dispatching/attempt-queue.ts'
import type { Dispatches } from './dispatching/dispatches.ts'

const INTERVAL_SECONDS = 5
/** Agents may take their thirty seconds; those of one seller hold at most a few of the lanes meanwhile. */
const LANES = 32
export const LANES_PER_SELLER = 4

/** The pauses between attempts are the feature's own; what the queue repeats is only an attempt that broke off. */
export const connectionsTasks = ({ attempt }: Pick<Dispatches, 'attempt'>): Task[] => [
  task(DISPATCH_TASK, {
    schema: Type.Object({ dispatchId: Type.String(), attempt: Type.Integer({ minimum: 1 }) }),
    handler: attempt,
    concurrency: LANES,
    groupConcurrency: LANES_PER_SELLER,
  }),
]

export const connectionsTicks = ({ keepUp, nextDueAt }: Pick<Dispatches, 'keepUp' | 'nextDueAt'>): Tick[] => [
  { name: 'agent-dispatch', seconds: INTERVAL_SECONDS, handler: keepUp, nextDueAt },
]
