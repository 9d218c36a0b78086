import { afterAll, beforeAll, expect, test } from 'vitest'
import { alertMessages } from '../../house/alerts.ts'
import { sql } from '../../platform/db/sql.ts'
import { newWallet } from '../../testing/sign-in.ts'
import { startWorld } from '../../testing/start-world.ts'
import type { World } from '../../testing/world/start-world-on.ts'

const adminWallet = newWallet()
let world: World
beforeAll(async () => {
  world = await startWorld({ environment: { ADMIN_WALLETS: adminWallet.address } })
})
afterAll(() => world.close())

const monthsAhead = async () =>
  /^database_months_ahead (\d+)/m.exec((await world.http.inject('/metrics')).body)?.[1]

test('each turn keeps three months ahead, and admins are alerted when there are fewer than two', async () => {
  const { ownerId } = await world.newOwner({ wallet: adminWallet })
  const alerts = () =>
    world.db.rows(
      sql`select id from notifications where owner_id = ${ownerId} and title = ${alertMessages.MONTHS_BEHIND}`,
    )
  await world.tick('months')
  expect(await monthsAhead()).toBe('3')
  expect(await alerts()).toHaveLength(0)

  world.wallClock.advance(200 * 24 * 3600)
  expect(await monthsAhead()).toBe('0')
  // Somebody reads for hours: its months are not made now.
  await world.db.transaction(async (tx) => {
    await tx.rows(sql`select id from request_log`)
    await world.tick('months')
  })
  expect(await alerts()).toHaveLength(1)
  await world.tick('months')
  expect(await monthsAhead()).toBe('3')
  expect(await alerts()).toHaveLength(1)
})
