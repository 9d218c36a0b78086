import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Queryable } from '../../platform/db/queryable.ts'
import { createDelivery } from './delivery.ts'
import { findStreamStart } from './store.ts'
import { type StartedFeed, startFeed } from './testing/start-feed.ts'

let feature: StartedFeed
beforeAll(async () => {
  feature = await startFeed()
})
afterAll(() => feature.close())

test('a receiver that comes back while a round is under way for another one of its owner misses nothing', async () => {
  const { ownerId } = await feature.newOwner()
  const start = () => findStreamStart(feature.db, { ownerId, lastEventId: undefined, replayLimit: 100 })
  const behind = await start()
  await feature.tell(ownerId, 'missed')
  const ahead = await start()
  await feature.tell(ownerId, 'new')

  const held = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const db = {
    ...feature.db,
    async rows(...args: Parameters<Queryable['rows']>) {
      asked.resolve()
      await held.promise
      return feature.db.rows(...args)
    },
  } as Queryable
  const delivery = createDelivery({ db, log: pino({ level: 'silent' }) })
  const texts = { ahead: '', behind: '' }
  delivery.add({ ownerId, seq: ahead, send: (text) => (texts.ahead += text) })
  await asked.promise
  delivery.add({ ownerId, seq: behind, send: (text) => (texts.behind += text) })
  held.resolve()

  await expect.poll(() => texts.behind).toContain('"title":"new"')
  expect(texts.behind).toContain('"title":"missed"')
  expect(texts.ahead).not.toContain('"title":"missed"')
})
