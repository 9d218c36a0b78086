import type { Clock } from '../../../platform/clock/clock.ts'
import { addSeconds } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Notice, Notify } from '../../../platform/notices/notice.ts'
import { createHostLanes } from '../../../platform/outbound/host-lanes.ts'
import { signedHeaders } from '../../../platform/outbound/signature.ts'
import { openSecrets } from '../../../platform/outbound/signing-secrets.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import type { Sealer } from '../../../platform/sealing/sealer.ts'
import { directHeaders } from '../direct-receivers.ts'
import { type Attempt, queueAttempts } from '../outbox.ts'
import { isGivenUp, judge, type Verdict } from '../rules.ts'
import {
  deleteDirect,
  findWebhookById,
  lockWebhook,
  saveBreaker,
  saveChanges,
  saveDeliveredAt,
  type WebhookRow,
} from '../store.ts'
import { breakerAfter, isPaused, pausedResult } from './breaker.ts'
import { type DeliveryRow, dropWaiting, findAwaiting, listOverdue, saveVerdict } from './delivery-store.ts'
import type { SendMessage, SendResult } from './send-message.ts'

const HOST_BUSY_SECONDS = 1
const OVERDUE_SECONDS = 15 * 60
const OVERDUE_BATCH = 1_000

export interface DeliveriesDeps {
  db: Database
  clock: Clock
  queue: Pick<Queue, 'enqueueAll'>
  sealer: Sealer
  send: SendMessage
  notify: Notify
}

/** The worker's side. A message may be sent twice when a worker dies between the sending and the log; its id stays the same. */
export function createDeliveries({ db, clock, queue, sealer, send, notify }: DeliveriesDeps) {
  const hostLanes = createHostLanes()

  async function sendTo(webhook: WebhookRow, { eventId, body }: DeliveryRow): Promise<SendResult> {
    const now = clock.now()
    const { id, sealedSecret, sealedOldSecret, oldSecretUntil } = webhook
    const sealed = {
      id,
      sealedSecret,
      sealedOldSecret,
      oldSecretUntil,
    }
    const secrets = openSecrets(sealed, sealer, now)
    if (secrets === undefined) return { kind: 'failure', why: 'The secret cannot be read. Rotate it.' }
    const timestampSeconds = Math.floor(now.getTime() / 1000)
    const headers = webhook.isDirect
      ? directHeaders({ eventId, timestampSeconds }, secrets)
      : signedHeaders({ eventId, timestampSeconds, body }, secrets)
    return send({ url: webhook.url, headers, body })
  }

  async function recordAttempt(
    tx: Transaction,
    delivery: DeliveryRow,
    { deliveryId, attempt }: Attempt,
    { verdict, result }: { verdict: Verdict; result: SendResult | undefined },
  ): Promise<void> {
    const webhook = await lockWebhook(tx, delivery.webhookId)
    if (!webhook || !(await saveVerdict(tx, { deliveryId, attempt, verdict }))) return
    const breaker = result && breakerAfter(webhook, result, clock.now())
    if (breaker) await saveBreaker(tx, webhook.id, breaker)
    // Nothing follows the last message to a direct receiver: it has done its part.
    if (delivery.eventType === 'direct.last' && verdict.status !== 'PENDING')
      return deleteDirect(tx, [webhook.id])
    if (verdict.status === 'DELIVERED') return saveDeliveredAt(tx, webhook.id, clock.now())
    if (verdict.status === 'PENDING') {
      const next = { deliveryId, attempt: attempt + 1, ownerId: webhook.ownerId }
      return queueAttempts(tx, queue, [next], verdict.retryAfterSeconds)
    }
    if (verdict === closed) return
    const { eventType, createdAt } = delivery
    const isOver = isGivenUp(verdict, {
      eventType,
      createdAt,
      lastDeliveredAt: webhook.lastDeliveredAt,
    })
    if (!isOver || !webhook.isActive) return
    if (webhook.isDirect) return deleteDirect(tx, [webhook.id])
    await saveChanges(tx, webhook.id, { active: false })
    await dropWaiting(tx, webhook.id, SWITCHED_OFF)
    await notify(tx, switchedOffNotice(webhook))
  }

  return {
    async attempt(order: Attempt): Promise<void> {
      const delivery = await findAwaiting(db, order)
      const webhook = delivery && (await findWebhookById(db, delivery.webhookId))
      if (!webhook) return
      const judged = (result: SendResult) =>
        judge(result, { eventType: delivery.eventType, attempt: order.attempt, now: clock.now() })
      if (!webhook.isOwnerActive) {
        return db.transaction((tx) =>
          recordAttempt(tx, delivery, order, { verdict: closed, result: undefined }),
        )
      }
      if (!delivery.isOrdered && isPaused(webhook, clock.now())) {
        const verdict = judged(pausedResult(webhook))
        return db.transaction((tx) => recordAttempt(tx, delivery, order, { verdict, result: undefined }))
      }
      const leave = hostLanes.enter(webhook.url, webhook.ownerId)
      if (leave === undefined) {
        return queueAttempts(db, queue, [{ ...order, ownerId: webhook.ownerId }], HOST_BUSY_SECONDS)
      }
      const result = await sendTo(webhook, delivery).finally(leave)
      await db.transaction((tx) => recordAttempt(tx, delivery, order, { verdict: judged(result), result }))
    },

    /** Queues again what should have been tried long ago. */
    async keepUp(): Promise<void> {
      const now = clock.now()
      const overdue = await listOverdue(db, addSeconds(now, -OVERDUE_SECONDS), OVERDUE_BATCH)
      const missed = overdue.map(({ id, attempts, ownerId }) => ({
        deliveryId: id,
        attempt: attempts + 1,
        ownerId,
      }))
      await queueAttempts(db, queue, missed)
    },
  }
}

/** Nothing leaves for an account that is suspended or deactivated. Its webhooks stay on, for the day it is reinstated. */
const closed: Verdict = {
  status: 'FAILED',
  responseStatus: null,
  error: 'Not sent: the account is suspended or deactivated.',
  retryAfterSeconds: undefined,
  nextAttemptAt: null,
}

export const SWITCHED_OFF = 'The webhook was switched off.'

function switchedOffNotice({ ownerId, url }: WebhookRow): Notice {
  return {
    ownerId,
    type: 'SYSTEM_ALERT',
    title: 'Webhook switched off',
    message: `Nothing got through to ${new URL(url).host} any more, so events are no longer sent there. Repair it, then switch it on again.`,
    link: '/developers/webhooks',
  }
}
