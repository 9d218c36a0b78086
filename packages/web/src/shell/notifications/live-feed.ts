import type { Notification } from '@agent-marketplace/contract'
import type { MarketplaceClient } from '@agent-marketplace/sdk'

interface LiveFeed {
  ownerId: string
  client: Pick<MarketplaceClient, 'streamNotifications'>
  /** Where the feed stood when the page read it: what came since then is news. Undefined where there was nothing. */
  readPlace: () => Promise<string | undefined>
  onNews: (notification: Notification) => void
  /** News may have been missed while one tab handed over to another, or while this page lay in the browser's memory. */
  onGap: () => void
}

const CHANNEL = 'marketplace.feed'

/** A browser opens six connections to a host and no more, so one tab listens to the service and informs the others. */
export function followFeed(feed: LiveFeed): () => void {
  let stop = listen(feed)
  const onHide = () => stop()
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    feed.onGap()
    stop = listen(feed)
  }
  // A page in the back/forward memory that kept its stream or its turn would keep both from everybody else.
  window.addEventListener('pagehide', onHide)
  window.addEventListener('pageshow', onShow)
  return () => {
    window.removeEventListener('pagehide', onHide)
    window.removeEventListener('pageshow', onShow)
    stop()
  }
}

function listen({ ownerId, client, readPlace, onNews, onGap }: LiveFeed): () => void {
  const name = `${CHANNEL}.${ownerId}`
  const ending = new AbortController()
  const { signal } = ending
  const others = new BroadcastChannel(name)
  const place = readPlace()
  let lastEventId: string | undefined
  let hasWaited = false

  const hear = (notification: Notification): void => {
    lastEventId = notification.id
    onNews(notification)
  }
  others.onmessage = ({ data }: MessageEvent<Notification | 'gap'>) => (data === 'gap' ? onGap() : hear(data))

  const speak = async (): Promise<void> => {
    lastEventId ??= await place
    // Without the last news there is no place to go on from.
    if (hasWaited && lastEventId === undefined) {
      onGap()
      others.postMessage('gap')
    }
    for await (const notification of client.streamNotifications({ lastEventId, signal })) {
      hear(notification)
      others.postMessage(notification)
    }
  }
  const takeTurns = async (): Promise<void> => {
    // Only pages on https or localhost have locks; elsewhere each tab listens for itself.
    if (navigator.locks === undefined) return speak()
    await navigator.locks.request(name, { ifAvailable: true }, (turn) => (turn ? speak() : undefined))
    if (signal.aborted) return
    hasWaited = true
    await navigator.locks.request(name, { signal }, speak)
  }
  // The stream reconnects by itself; what it throws is the end of the session, which the session reports.
  takeTurns().catch(() => {})
  return () => {
    ending.abort()
    others.close()
  }
}
