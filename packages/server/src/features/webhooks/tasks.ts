import { Type } from 'typebox'
import { type Task, type Tick, task } from '../../house/feature.ts'
import { DELIVERY_TASK } from './outbox.ts'
import type { WebhooksService } from './service.ts'

const UPKEEP_SECONDS = 3600
/** Receivers may take their five seconds; those of one owner hold at most a few of the lanes meanwhile. */
export const LANES = 32
export const LANES_PER_OWNER = 4

/** The pauses between attempts are the feature's own; what the queue repeats is only an attempt that broke off. */
export const webhooksTasks = ({ attempt }: Pick<WebhooksService, 'attempt'>): Task[] => [
  task(DELIVERY_TASK, {
    schema: Type.Object({ deliveryId: Type.String(), attempt: Type.Integer({ minimum: 1 }) }),
    handler: attempt,
    concurrency: LANES,
    groupConcurrency: LANES_PER_OWNER,
  }),
]

export const webhooksTicks = ({ keepUp }: Pick<WebhooksService, 'keepUp'>): Tick[] => [
  { name: 'webhooks-upkeep', seconds: UPKEEP_SECONDS, handler: keepUp },
]
