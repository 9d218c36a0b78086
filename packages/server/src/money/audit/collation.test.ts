import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { ChainPort } from '../../ports/chain/port.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { foldPostings } from './changes.ts'
import { walletChecks } from './invariants-wallets.ts'
import { accounts } from './subjects.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ locale: 'en-US' })
})
afterAll(() => database.close())

const names = [
  'escrow:0xab',
  'escrow:0xAC',
  'escrow:1',
  'owed:0xb',
  'outside:world',
  'owed:0xc',
  'wallet:0x1',
  'Wallet:0x0',
]

test('kept balances and walks through accounts hold in the order of a language', async () => {
  const { db } = database
  const deps = { db, chain: {} as ChainPort }
  await db.run(sql`
    with entry as (insert into journal_entries (id, kind, at) values ('jone', 'test', now()) returning id)
    insert into journal_postings
    select id, account, amount from entry, unnest(${names}::text[], ${names.map((_, index) => index * 2 - 7)}::int[])
      as posting (account, amount)`)
  await db.run(sql`insert into held_payments (recipient, held_micro) values ('0xb', 1), ('0xd', 1), ('a', 1)`)
  await foldPostings(db)

  const listed: string[] = []
  for (let keys = await accounts.list(deps, { after: '', limit: 2 }); keys.length > 0; ) {
    listed.push(...keys)
    keys = await accounts.list(deps, { after: keys.at(-1) ?? '', limit: 2 })
  }
  expect(listed.toSorted()).toEqual([...names, 'owed:0xd', 'owed:a', 'escrow:', 'owed:'].toSorted())

  const kept = walletChecks.find(({ name }) => name === 'M15')
  expect(await kept?.check(deps, listed)).toEqual([])
  await db.run(sql`update account_balances set amount_micro = amount_micro + 1 where account = 'escrow:'`)
  expect(await kept?.check(deps, listed)).toMatchObject([{ key: 'escrow:' }])
})
