import type { Notification } from '@agent-marketplace/contract'
import type { MarketplaceClient } from '@agent-marketplace/sdk'

interface LiveFeed {
  ownerId: string
  client: Pick<MarketplaceClient, 'streamNotifications'>
  /**
   * Where the feed stood when the page read it: what came since then is news. `isFresh` reads it again. Undefined where it
   * cannot be read now.
   */
  readPlace: (options: { isFresh: boolean }) => Promise<string | undefined>
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
  let lastHeardId: string | undefined
  let place: string | undefined

  const hear = (notification: Notification): void => {
    lastHeardId = notification.id
    onNews(notification)
  }
  others.onmessage = ({ data }: MessageEvent<Notification | 'gap'>) => (data === 'gap' ? onGap() : hear(data))

  const speak = async (): Promise<void> => {
    const lastEventId = lastHeardId ?? place
    // Without a place to go on from, nobody knows what was missed.
    if (lastEventId === undefined) {
      onGap()
      others.postMessage('gap')
    }
    for await (const notification of client.streamNotifications({ lastEventId, signal })) {
      hear(notification)
      others.postMessage(notification)
    }
  }
  const takeTurns = async (): Promise<void> => {
    place = await readPlace({ isFresh: false })
    if (signal.aborted) return
    // Only pages on https or localhost have locks; elsewhere each tab listens for itself.
    if (navigator.locks === undefined) return speak()
    await navigator.locks.request(name, { ifAvailable: true }, (turn) => (turn ? speak() : undefined))
    if (signal.aborted) return
    // Another tab listens. What it passed on before this one heard it is only in the feed.
    place = await readPlace({ isFresh: true })
    await navigator.locks.request(name, { signal }, speak)
  }
  // The stream reconnects by itself; what it throws is the end of the session, which the session reports.
  takeTurns().catch(() => {})
  return () => {
    ending.abort()
    others.close()
  }
}
