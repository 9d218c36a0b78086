import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { explaining, type PlanNode, rowsRead } from '../../testing/explaining.ts'
import { type SignedInOwner, signIn } from '../../testing/sign-in.ts'
import { REMOVED_AT_ONCE } from './retention.ts'
import { listOldest, lockFeeds, removeNotifications } from './store.ts'
import { openEventStream } from './testing/open-event-stream.ts'
import { type StartedFeed, startFeed } from './testing/start-feed.ts'

const DAYS = 30
const DAY_SECONDS = 24 * 3600

let feed: StartedFeed
beforeAll(async () => {
  feed = await startFeed({ environment: { NOTIFICATION_DAYS: String(DAYS) } })
})
afterAll(() => feed.close())

/** The session has ended after so many days. */
async function read({ wallet }: SignedInOwner) {
  const { bearer } = await signIn(feed.http, wallet)
  return (await feed.http.inject({ url: '/api/notifications', headers: bearer })).json().data
}
const shownOf = async (reader: SignedInOwner) => {
  const { notifications, total, unreadCount } = await read(reader)
  return { titles: notifications.map(({ title }: { title: string }) => title), total, unreadCount }
}
const addCopies = ({ ownerId }: SignedInOwner, count: number) =>
  feed.db.run(sql`
    insert into notifications (id, owner_id, type, title, message, created_at)
    select id || '-' || n, owner_id, type, title, message, created_at
    from notifications, generate_series(1, ${count}::int) n where owner_id = ${ownerId}`)

test('what is older than its days is removed, read or not, and the counts follow', async () => {
  const reader = await feed.newReader()
  await feed.tell(reader.ownerId, 'read', 'unread')
  const { notifications } = await read(reader)
  const url = `/api/notifications/${notifications[1].id}/read`
  const marked = await feed.http.inject({ method: 'POST', url, headers: reader.bearer })
  expect(marked.statusCode).toBe(200)
  expect(await shownOf(reader)).toEqual({ titles: ['unread', 'read'], total: 2, unreadCount: 1 })

  feed.wallClock.advance(DAYS * DAY_SECONDS - 60)
  await feed.tell(reader.ownerId, 'new')
  await feed.tick('notifications-old')
  expect((await shownOf(reader)).total).toBe(3)
  feed.wallClock.advance(120)
  await feed.tick('notifications-old')
  expect(await shownOf(reader)).toEqual({ titles: ['new'], total: 1, unreadCount: 1 })
})

/** What the reader has seen so far. */
const seenBy = async (reader: SignedInOwner): Promise<string> => (await read(reader)).lastEventId

/** What a stream brings that begins after `lastEventId`, up to a notification that is sent once it is open. */
async function streamedAfter(lastEventId: string, reader: SignedInOwner): Promise<string[]> {
  const { bearer } = await signIn(feed.http, reader.wallet)
  const token = bearer.authorization.replace('Bearer ', '')
  const stream = await openEventStream(feed.streamUrl, { token, lastEventId })
  await feed.tell(reader.ownerId, 'new')
  const titles: string[] = []
  while (titles.at(-1) !== 'new') titles.push((await stream.next()).data.title)
  stream.leave()
  return titles
}

describe('a client whose last seen notification was removed misses nothing when it comes back', () => {
  let reader: SignedInOwner
  beforeEach(async () => {
    reader = await feed.newReader()
  })

  test('with all that are as old', async () => {
    await feed.tell(reader.ownerId, 'seen')
    const seen = await seenBy(reader)
    feed.wallClock.advance(DAYS * DAY_SECONDS + 60)
    await feed.tick('notifications-old')
    await feed.tell(reader.ownerId, 'missed')
    expect(await streamedAfter(seen, reader)).toEqual(['missed', 'new'])
  })

  test('while older ones of others are left, whose feeds were in use', async () => {
    const busy = await feed.newReader()
    await feed.tell(busy.ownerId, 'older')
    await feed.tell(reader.ownerId, 'seen')
    const seen = await seenBy(reader)
    feed.wallClock.advance(DAYS * DAY_SECONDS + 60)
    await feed.db.transaction(async (tx) => {
      await lockFeeds(tx, [busy.ownerId])
      await feed.tick('notifications-old')
    })
    await feed.tell(reader.ownerId, 'missed')
    expect(await streamedAfter(seen, reader)).toEqual(['missed', 'new'])
  })

  test('while older ones of its own are left, whose feed was in use for a part of the turn', async () => {
    await feed.tell(reader.ownerId, 'older')
    feed.wallClock.advance(60)
    await feed.tell(reader.ownerId, 'seen')
    const seen = await seenBy(reader)
    feed.wallClock.advance(60)
    await feed.tell(reader.ownerId, 'missed')
    await removeNotifications(feed.db, [seen])
    expect(await streamedAfter(seen, reader)).toEqual(['missed', 'new'])
  })
})

test('a turn removes all that are old, by several statements', async () => {
  const reader = await feed.newReader()
  await feed.tell(reader.ownerId, 'first')
  await addCopies(reader, 2 * REMOVED_AT_ONCE)
  feed.wallClock.advance(DAYS * DAY_SECONDS + 60)
  await feed.tick('notifications-old')
  expect(await shownOf(reader)).toEqual({ titles: [], total: 0, unreadCount: 0 })
})

test('a feed that is in use is left for the next turn, and holds up no other', async () => {
  const [busy, other] = [await feed.newReader(), await feed.newReader()]
  await feed.tell(busy.ownerId, 'busy')
  await addCopies(busy, REMOVED_AT_ONCE)
  await feed.tell(other.ownerId, 'other')
  feed.wallClock.advance(DAYS * DAY_SECONDS + 60)
  await feed.db.transaction(async (tx) => {
    await lockFeeds(tx, [busy.ownerId])
    await feed.tick('notifications-old')
  })
  const left = await feed.db.rows<{ ownerId: string }>(sql`
    select distinct owner_id from notifications where owner_id in (${busy.ownerId}, ${other.ownerId})`)
  expect(left).toEqual([{ ownerId: busy.ownerId }])
  await feed.tick('notifications-old')
  expect((await shownOf(busy)).total).toBe(0)
})

test('those that are kept are not read', async () => {
  const reader = await feed.newReader()
  await feed.tell(reader.ownerId, 'kept')
  await addCopies(reader, 2 * REMOVED_AT_ONCE)
  await feed.db.run(sql`analyze notifications`)
  const plans: PlanNode[] = []
  await listOldest(explaining(feed.db, plans), { after: '', before: 'c0' }, REMOVED_AT_ONCE)
  expect(rowsRead(plans)).toEqual({ notifications: 0 })
})
