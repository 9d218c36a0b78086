import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from '../config/read-config.ts'
import type { Closer } from '../data.ts'
import { sql } from '../platform/db/sql.ts'
import { reseal, type SealedRows } from '../platform/sealing/reseal.ts'
import { createSealer } from '../platform/sealing/sealer.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { rotateKeys } from './rotate-keys.ts'
import { createSealers } from './sealers.ts'

const former = 'the former secret of at least 32 characters'
const current = 'the current secret of at least 32 characters'

test('in production it seals what the previous secret sealed, beside the service, and leaves what nothing opens', async () => {
  const { db, connection, close } = await createTestDatabase()
  const before = createSealers({ sessionSecret: former, previousSessionSecret: undefined })
  const lost = createSealers({ sessionSecret: 'lost', previousSessionSecret: undefined })
  for (const [id, sealer] of [
    ['c1', before],
    ['c2', lost],
  ] as const) {
    await db.run(sql`
      insert into owners (id, wallet_address, created_at, sealed_details)
      values (${id}, ${id}, now(), ${sealer.personalData.seal('{"ein":"98-7654321"}', id)})`)
    await db.run(sql`
      insert into webhooks (id, owner_id, url, events, description, sealed_secret, sealed_old_secret, old_secret_until, created_at)
      values (${id}, ${id}, 'https://a.example', '{}', '', ${sealer.webhooks.seal('whsec_new', id)},
        ${sealer.webhooks.seal('whsec_old', id)}, now(), now())`)
  }
  const { connectionString, host = '', port, user, database } = connection
  const url = `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const config = readConfig({
    SESSION_SECRET: current,
    SESSION_SECRET_PREVIOUS: former,
    DATABASE_URL: connectionString ?? url,
  })
  const closers: Closer[] = []
  const rotate = async () => {
    const said: string[] = []
    const say = (line: string) => void said.push(line)
    await rotateKeys({ ...config, mode: 'production' }, { log: pino({ level: 'silent' }), closers, say })
    return said
  }
  const figures = (count: number) => [
    `webhook secrets: ${count} sealed again, 1 that no known key opens left as they are`,
    `former webhook secrets: ${count} sealed again, 1 that no known key opens left as they are`,
    'webhook secrets in kept responses: 0 sealed again',
    'connection secrets: 0 sealed again',
    'former connection secrets: 0 sealed again',
    'connection tokens: 0 sealed again',
    `owners’ details: ${count} sealed again, 1 that no known key opens left as they are`,
    expect.stringMatching(/^Not finished: neither .* opens 3 of the seals/),
  ]
  expect(await rotate()).toEqual(figures(1))
  expect(await rotate()).toEqual(figures(0))

  const after = createSealers({ sessionSecret: current, previousSessionSecret: undefined })
  const row = await db.one<{ details: string; secret: string; old: string }>(sql`
    select sealed_details as details, sealed_secret as secret, sealed_old_secret as old
    from owners join webhooks using (id) where id = 'c1'`)
  expect(after.personalData.open(row.details, 'c1').toString()).toContain('98-7654321')
  expect(after.webhooks.open(row.secret, 'c1').toString()).toBe('whsec_new')
  expect(after.webhooks.open(row.old, 'c1').toString()).toBe('whsec_old')

  // With what nothing opens out of the way, and only then, the former secret may be discarded.
  await db.run(sql`update owners set sealed_details = null where id = 'c2'`)
  await db.run(sql`delete from webhooks where id = 'c2'`)
  expect((await rotate()).at(-1)).toBe('Done. Take SESSION_SECRET_PREVIOUS out of the settings and restart.')
  for (const end of closers.reverse()) await end()
  await close()
})

test('what a process with the former secret writes meanwhile is sealed again, too', async () => {
  const former = { id: 'k1', key: randomBytes(32) }
  const before = createSealer({ current: former })
  const now = createSealer({ current: { id: 'k2', key: randomBytes(32) }, previous: [former] })
  const seals = new Map([
    ['a', before.seal('first', 'a')],
    ['b', before.seal('second', 'b')],
  ])
  const late = ['b', 'a0']
  const rows: SealedRows = {
    listUnderOtherKeys: async (keyId, { after, count }) =>
      [...seals]
        .filter(([id, sealed]) => id > after && !sealed.startsWith(`${keyId}.`))
        .toSorted()
        .slice(0, count)
        .map(([id, sealed]) => ({ id, owner: id, sealed })),
    async replace({ id, sealed: read }, sealed) {
      // Each time one is swapped, another process changes one that was read, or adds one that was passed.
      const written = late.shift()
      if (written !== undefined) seals.set(written, before.seal('written meanwhile', written))
      if (seals.get(id) !== read) return false
      seals.set(id, sealed)
      return true
    },
  }
  expect(await reseal(now, rows)).toEqual({ resealed: 3, unreadable: 0 })
  for (const [id, sealed] of seals) {
    expect(sealed).toMatch(/^k2\./)
    expect(now.open(sealed, id).toString()).toBe(id === 'a' ? 'first' : 'written meanwhile')
  }
})
