import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPartitions } from '../../../platform/db/months/partitions.ts'
import { sql } from '../../../platform/db/sql.ts'
import { scannedPartitions } from '../../../testing/plans.ts'
import { jobFunded, startWebhooks } from '../testing/start-webhooks.ts'
import { countDeliveries, findDelivery, listDeliveries } from './delivery-store.ts'

const DAY_SECONDS = 24 * 3600

let api: Awaited<ReturnType<typeof startWebhooks>>
beforeAll(async () => {
  api = await startWebhooks()
})
afterAll(() => api.close())

const placesOf = (webhookId: string) =>
  api.db.rows<{ place: string }>(sql`
    select tableoid::regclass::text as place from webhook_deliveries where webhook_id = ${webhookId} order by created_at`)

test('deliveries go to their months, lists look into the last ones, and a month goes when none is pending', async () => {
  const { ownerId, headers } = await api.newOwner()
  const { id: webhookId } = await api.newWebhook(headers)
  // Behind what the migration bounded: from there on each month has a partition.
  const [first] = await listPartitions(api.db, 'webhook_deliveries')
  api.wallClock.set(new Date((first?.to.getTime() ?? 0) + 40 * DAY_SECONDS * 1000))
  await api.tick('months')
  const months: string[] = []
  for (let month = 0; month < 3; month += 1) {
    await api.tell(jobFunded(ownerId))
    months.push(api.wallClock.now().toISOString().slice(0, 7).replace('-', '_'))
    api.wallClock.advance(31 * DAY_SECONDS)
    await api.tick('months')
  }
  const names = months.map((month) => `webhook_deliveries_${month}`)
  expect((await placesOf(webhookId)).map(({ place }) => place)).toEqual(names)

  const since = new Date(api.wallClock.now().getTime() - 32 * DAY_SECONDS * 1000)
  const page = { webhookId, status: undefined, since, limit: 10, offset: 0 }
  const scanned = await scannedPartitions(api.db, async (db) => {
    await listDeliveries(db, page)
    await countDeliveries(db, page)
    await findDelivery(db, { id: 'none', webhookId, since })
  })
  expect(scanned).toContain(names[2])
  expect(scanned.filter((name) => name === names[0] || name === names[1] || name.endsWith('_first'))).toEqual(
    [],
  )

  // All three are pending still.
  api.wallClock.advance(200 * DAY_SECONDS)
  await api.tick('months')
  expect(await placesOf(webhookId)).toHaveLength(3)
  await api.db.run(sql`
    update webhook_deliveries set status = 'FAILED', next_attempt_at = null
    where webhook_id = ${webhookId} and tableoid = to_regclass(${names[0] ?? ''})`)
  await api.tick('months')
  expect((await placesOf(webhookId)).map(({ place }) => place)).toEqual(names.slice(1))
})
