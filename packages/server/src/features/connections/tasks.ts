import { Type } from 'typebox'
import { type Task, type Tick, task } from '../../house/feature.ts'
import type { Looks } from './a2a/looks.ts'
import { DISPATCH_TASK, LOOK_TASK } from './dispatching/call-queue.ts'
import type { Dispatches } from './dispatching/dispatches.ts'
import { PROBE_TASK, type Probes } from './liveness/probes.ts'

const INTERVAL_SECONDS = 5
const PROBE_INTERVAL_SECONDS = 30
const TRIALS_INTERVAL_SECONDS = 300
/** Agents may take their thirty seconds; those of one seller hold at most a few of the lanes meanwhile. */
const LANES = 32
const PROBE_LANES = 16
export const LANES_PER_SELLER = 4

/** The pauses between calls are the feature's own; what the queue repeats is only a call that broke off. */
export const connectionsTasks = ({
  attempt,
  look,
  probe,
}: Pick<Dispatches, 'attempt'> & Looks & Pick<Probes, 'probe'>): Task[] => [
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
  task(PROBE_TASK, {
    schema: Type.Object({ agentId: Type.String() }),
    handler: probe,
    concurrency: PROBE_LANES,
    groupConcurrency: LANES_PER_SELLER,
  }),
]

export const connectionsTicks = ({
  keepUp,
  nextDueAt,
  queueDue,
  removeExpired,
}: Pick<Dispatches, 'keepUp' | 'nextDueAt'> &
  Pick<Probes, 'queueDue'> & { removeExpired: Tick['handler'] }): Tick[] => [
  { name: 'agent-dispatch', seconds: INTERVAL_SECONDS, handler: keepUp, nextDueAt },
  { name: 'agent-probes', seconds: PROBE_INTERVAL_SECONDS, handler: queueDue },
  { name: 'agent-trials', seconds: TRIALS_INTERVAL_SECONDS, handler: removeExpired },
]
