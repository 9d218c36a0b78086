import { Type } from 'typebox'
import type { Queue } from '../../platform/queue/queue.ts'
import { DELIVERY_TASK } from './outbox.ts'
import type { WebhooksService } from './service.ts'

const UPKEEP_SECONDS = 3600
/** Receivers may take their five seconds; those of one owner hold at most a few of the lanes meanwhile. */
export const LANES = 32
export const LANES_PER_OWNER = 4

export interface WebhooksTasksDeps {
  webhooks: WebhooksService
  queue: Pick<Queue, 'define' | 'every'>
}

/** The pauses between attempts are the feature's own; what the queue repeats is only an attempt that broke off. */
export function webhooksTasks({ webhooks, queue }: WebhooksTasksDeps): void {
  queue.define(DELIVERY_TASK, {
    schema: Type.Object({ deliveryId: Type.String(), attempt: Type.Integer({ minimum: 1 }) }),
    handler: webhooks.attempt,
    concurrency: LANES,
    groupConcurrency: LANES_PER_OWNER,
  })
  queue.every('webhooks-upkeep', UPKEEP_SECONDS, webhooks.keepUp)
}
