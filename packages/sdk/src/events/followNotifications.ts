import { type Notification, STREAM_START } from '@agent-marketplace/contract'
import type { Core } from '../core.ts'
import { isMarketplaceError } from '../errors.ts'
import { exchange } from '../transport/exchange.ts'
import { backOffMs } from '../transport/retry.ts'
import { parseEvents, type ServerEvent } from './parseEvents.ts'
import { untilSilent } from './untilSilent.ts'

export interface StreamOptions {
  /** Begin with what came after this notification. Without it: with what comes from now on. */
  lastEventId?: string | undefined
  /** Ends the stream, without an error. */
  signal?: AbortSignal | undefined
}

/** `open` says that from here on nothing is missed; it comes again after every break. */
export type FeedEvent = { type: 'open' } | { type: 'notification'; notification: Notification }

/**
 * The live feed, for as long as it is wanted: a connection that breaks is opened again and goes on after the last
 * notification that was handed out. Only what cannot get better by itself is thrown.
 */
export async function* followNotifications(
  core: Core,
  { lastEventId, signal }: StreamOptions,
): AsyncGenerator<FeedEvent, void> {
  let lastId = lastEventId
  for (let failures = 0; !signal?.aborted; ) {
    let openedAtMs = Number.POSITIVE_INFINITY
    try {
      if (failures > 0) await core.clock.sleep(backOffMs(core, failures), signal)
      lastId ??= await findNewest(core, signal)
      const headers = { 'last-event-id': lastId }
      const { response } = await exchange(core, 'streamNotifications', { headers, signal })
      openedAtMs = core.clock.nowMs()
      yield { type: 'open' }
      for await (const event of eventsOf(response, core.timeoutMs)) {
        if (event.type !== 'notification') continue
        lastId = event.id
        yield { type: 'notification', notification: JSON.parse(event.data) as Notification }
      }
    } catch (error) {
      if (signal?.aborted) return
      if (isMarketplaceError(error) && !error.retryable) throw error
    }
    // The end of a connection that lasted does not add up with the failures before it.
    const hasLasted = core.clock.nowMs() - openedAtMs > core.retry.maxDelayMs
    failures = hasLasted ? 1 : failures + 1
  }
}

async function* eventsOf({ body }: Response, silenceMs: number): AsyncGenerator<ServerEvent, void> {
  if (body) yield* parseEvents(untilSilent(body, silenceMs))
}

/** Where the feed stands before the connection opens, so that a break before the first event loses nothing. */
async function findNewest(core: Core, signal: AbortSignal | undefined): Promise<string> {
  const { response } = await exchange(core, 'listNotifications', { query: { limit: 1 }, signal })
  return response.data.lastEventId ?? STREAM_START
}
