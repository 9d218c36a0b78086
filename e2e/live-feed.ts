import { parseEvents } from '../packages/sdk/src/events/parseEvents.ts'
import type { MarketplaceClient } from '../packages/sdk/src/index.ts'

/**
 * Somebody's live notifications. Progress is in the stream alone and never comes again, so the stream is open when this
 * resolves: what happens from then on is heard.
 */
export async function openFeed(url: string, client: MarketplaceClient) {
  const { token } = await client.signIn()
  const response = await fetch(`${url}/api/notifications/stream`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  })
  if (!response.ok || !response.body) throw new Error(`the stream did not open: ${response.status}`)
  const events = parseEvents(response.body)
  // Reading begins at once: fetch ends a response that nobody reads and nobody refers to.
  let upcoming = events.next()

  return {
    /** Resolves when each was heard, and ends the stream. */
    async untilHeard(...expected: { type: string; words: string }[]): Promise<void> {
      for (let missing = expected; ; upcoming = events.next()) {
        const { value: event } = await upcoming
        if (!event)
          throw new Error(`the stream ended without ${missing.map(({ words }) => words).join(', ')}`)
        if (event.type !== 'notification') continue
        const { type, message } = JSON.parse(event.data)
        missing = missing.filter((each) => each.type !== type || !message.includes(each.words))
        if (missing.length === 0) return void (await events.return())
      }
    },
  }
}
