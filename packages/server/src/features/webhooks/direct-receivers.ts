import type { Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { NewId } from '../../platform/id/id.ts'
import { checkUrl } from '../../platform/outbound/target-url.ts'
import type { Sealer } from '../../platform/sealing/sealer.ts'
import type { createOutbox } from './outbox.ts'
import { deleteDirect, holdDirect, insertDirect } from './store.ts'

export interface DirectReceiversDeps {
  clock: Clock
  newId: NewId
  sealer: Sealer
  /** Lets http and loopback addresses pass: the sandbox only. */
  allowsLocal: boolean
  outbox: Pick<ReturnType<typeof createOutbox>, 'sendDirect'>
}

/**
 * Receivers that other features send to, each about one thing. What is sent goes the way of webhook events: written in
 * the transaction that causes it, guarded, retried, and logged. In the place of a signature it has the headers by which the
 * receiver knows this service, which are sealed.
 */
export function createDirectReceivers({ clock, newId, sealer, allowsLocal, outbox }: DirectReceiversDeps) {
  return {
    /** Throws for URLs that are never called. */
    checkUrl: (url: string): void => void checkUrl(url, { allowsLocal }),

    /** Returns its id, and the URL as it will be called. */
    async add(
      tx: Queryable,
      given: { ownerId: string; url: string; headers: Readonly<Record<string, string>> },
    ): Promise<{ id: string; url: string }> {
      const url = checkUrl(given.url, { allowsLocal })
      const id = newId()
      const sealedSecret = sealer.seal(JSON.stringify(given.headers), id)
      await insertDirect(tx, { id, ownerId: given.ownerId, url, sealedSecret, createdAt: clock.now() })
      return { id, url }
    },

    /** False when it is gone. It stays until the end of the transaction: before anything that depends on it is locked. */
    hold: async (tx: Queryable, id: string): Promise<boolean> => (await holdDirect(tx, id)) !== undefined,

    /** After the last message has arrived, or has failed for good, the receiver is removed. */
    async send(
      tx: Queryable,
      { id, body, isLast }: { id: string; body: string; isLast: boolean },
    ): Promise<void> {
      const receiver = await holdDirect(tx, id)
      if (receiver) await outbox.sendDirect(tx, receiver, { type: isLast ? 'direct.last' : 'direct', body })
    },

    /** With everything that waits to be sent to them. */
    remove: (tx: Queryable, ids: readonly string[]): Promise<void> => deleteDirect(tx, ids),
  }
}

export type DirectReceivers = ReturnType<typeof createDirectReceivers>

/** As webhooks have them, without a signature: an id that stays the same, and the time of the attempt. */
export function directHeaders(
  { eventId, timestampSeconds }: { eventId: string; timestampSeconds: number },
  [own = '{}']: readonly string[],
): Record<string, string> {
  return {
    ...(JSON.parse(own) as Record<string, string>),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampSeconds),
  }
}
