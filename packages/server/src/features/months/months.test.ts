import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alertMessages } from '../../house/alerts.ts'
import { sql } from '../../platform/db/sql.ts'
import { newWallet } from '../../testing/sign-in.ts'
import { startWorld } from '../../testing/start-world.ts'
import type { World } from '../../testing/world/start-world-on.ts'

const adminWallet = newWallet()
const directory = mkdtempSync(join(tmpdir(), 'months-'))
const archive = join(directory, 'archive')
let world: World
let ownerId: string
beforeAll(async () => {
  // A file, where there should be a folder.
  writeFileSync(archive, '')
  world = await startWorld({
    environment: { ADMIN_WALLETS: adminWallet.address, ARCHIVE_DIR: archive, REQUEST_LOG_DAYS: '30' },
  })
  ownerId = (await world.newOwner({ wallet: adminWallet })).ownerId
})
afterAll(async () => {
  await world.close()
  rmSync(directory, { recursive: true })
})

const gauge = async (name: string) =>
  new RegExp(`^${name} (\\d+)`, 'm').exec((await world.http.inject('/metrics')).body)?.[1]
const monthsAhead = () => gauge('database_months_ahead')
const alertsOf = (name: keyof typeof alertMessages) =>
  world.db.rows(
    sql`select id from notifications where owner_id = ${ownerId} and title = ${alertMessages[name]}`,
  )

test('each turn keeps three months ahead, and admins are alerted when there are fewer than two', async () => {
  const alerts = () => alertsOf('MONTHS_BEHIND')
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

test('admins are alerted while a month cannot be archived, and it stays until it is', async () => {
  await world.tick('months')
  expect(Number(await gauge('database_months_unarchived'))).toBeGreaterThan(0)
  expect(await alertsOf('MONTHS_NOT_ARCHIVED')).not.toHaveLength(0)
  rmSync(archive)
  await world.tick('months')
  const before = await alertsOf('MONTHS_NOT_ARCHIVED')
  expect(await gauge('database_months_unarchived')).toBe('0')
  expect(readdirSync(archive)).not.toEqual([])
  await world.tick('months')
  expect(await alertsOf('MONTHS_NOT_ARCHIVED')).toEqual(before)
})

test('tables of months are analyzed as a whole, once a day', async () => {
  const analyzedAt = () =>
    world.db.rows(sql`
      select relname, last_analyze from pg_stat_user_tables join pg_partitioned_table on partrelid = relid
      where last_analyze is not null order by relname`)
  await world.tick('months')
  const first = await analyzedAt()
  expect(first.length).toBeGreaterThan(2)
  await world.tick('months')
  expect(await analyzedAt()).toEqual(first)
})
