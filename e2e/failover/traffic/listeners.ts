import { setTimeout as delay } from 'node:timers/promises'
import type { SteadyClient } from '../../steady/steady-client.ts'
import type { Door } from './door.ts'
import { sdkOf } from './people.ts'

const LAST_EVENTS_LIMIT_MS = 60_000

export interface Listener {
  received: ReadonlySet<string>
  /** Events of the account that the stream did not bring, once it had time to. */
  findMissed(): Promise<string[]>
  stop(): void
}

/** Follows somebody's live notifications, by the stock client, which comes back after every break. */
export async function listen(door: Door, client: SteadyClient, address: string): Promise<Listener> {
  const received = new Set<string>()
  const stopped = new AbortController()
  const sdk = sdkOf(door, client, address)
  const already = new Set(await listEvents(client))
  const follow = async (): Promise<void> => {
    for await (const { id } of sdk.streamNotifications({ signal: stopped.signal })) received.add(id)
  }
  const following = follow().catch((error) => {
    if (!stopped.signal.aborted) door.problems.push(`a listener ended: ${error}`)
  })

  const findMissed = async (): Promise<string[]> =>
    (await listEvents(client)).filter((id) => !already.has(id) && !received.has(id))

  return {
    received,
    async findMissed() {
      const deadline = performance.now() + LAST_EVENTS_LIMIT_MS
      for (;;) {
        const missed = await findMissed()
        if (missed.length === 0 || performance.now() > deadline) return missed
        await delay(5_000)
      }
    },
    stop() {
      stopped.abort()
      void following
    },
  }
}

/** The notifications behind all events of the account. */
async function listEvents(client: SteadyClient): Promise<string[]> {
  const ids: string[] = []
  let cursor = ''
  do {
    const { body } = await client.get(`/api/events?limit=100${cursor ? `&cursor=${cursor}` : ''}`)
    ids.push(...body.data.map(({ id }) => id.replace(/^evt_/, '')))
    cursor = body.nextCursor ?? ''
  } while (cursor)
  return ids
}
