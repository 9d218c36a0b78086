import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrationsDirectory } from '../../platform/db/migrate.ts'
import { sql } from '../../platform/db/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { sumOf } from '../testing/sum-of.ts'
import {
  escrowAccount,
  outsideAccount,
  owedAccount,
  spenderAccount,
  treasuryAccount,
  walletAccount,
} from './accounts.ts'
import { balanceOf, DIRECT_TRANSFER, type NewEntry, postEntry, reverseEntry } from './journal.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const at = new Date('2026-11-15T12:00:00Z')
const post = (entry: NewEntry) => database.db.transaction((tx) => postEntry(tx, entry))

const payment = (from: string, to: string, amountMicro: bigint, rest: Partial<NewEntry> = {}): NewEntry => ({
  kind: 'payment',
  at,
  postings: [
    { account: from, amountMicro: -amountMicro },
    { account: to, amountMicro },
  ],
  ...rest,
})

const placed = (txHash: string, logIndex: number) => ({
  chain: { chainId: 1, txHash, logIndex, blockNumber: 5n, blockHash: '0xb' },
})

describe('an entry', () => {
  test('moves money and makes none, however large', async () => {
    const huge = 10n ** 77n
    await post(payment('a:1', 'a:2', huge))
    expect(await balanceOf(database.db, 'a:1')).toBe(-huge)
    expect(await balanceOf(database.db, 'a:2')).toBe(huge)
    expect(await sumOf(database.db, {})).toBe(0n)
  })

  test('that does not balance, or moves nothing, is refused before it is written', async () => {
    const crooked = { kind: 'x', at, postings: [{ account: 'a', amountMicro: 1n }] }
    await expect(post(crooked)).rejects.toMatchObject({ code: 'UNBALANCED_ENTRY' })
    await expect(post(payment('same', 'same', 5n))).rejects.toMatchObject({ code: 'UNBALANCED_ENTRY' })
  })

  test('sums several postings of one account and drops what comes to nothing', async () => {
    await post({
      kind: 'own job',
      at,
      postings: [
        { account: 'own:escrow', amountMicro: -100n },
        { account: 'own:wallet', amountMicro: 98n },
        { account: 'own:fee', amountMicro: 2n },
        { account: 'own:wallet', amountMicro: 0n },
      ],
    })
    expect(await balanceOf(database.db, 'own:wallet')).toBe(98n)
  })

  test('of one fact of the chain is posted once, in whatever letters, by whomever', async () => {
    const [first, again] = await Promise.all([
      post(payment('c:1', 'c:2', 7n, placed('0xAB', 1))),
      post(payment('c:1', 'c:2', 7n, placed('0xab', 1))),
    ])
    expect(again).toBe(first)
    expect(await post(payment('c:1', 'c:2', 7n, placed('0xab', 1)))).toBe(first)
    await post(payment('c:1', 'c:2', 7n, placed('0xab', 2)))
    expect(await balanceOf(database.db, 'c:2')).toBe(14n)
  })

  test('of a direct transfer gives way to what it was for, and nothing else gives way', async () => {
    const { db } = database
    const direct = (txHash: string) => ({
      ...payment('outside', 'g:2', 5n, placed(txHash, 1)),
      kind: DIRECT_TRANSFER,
    })
    const known = (txHash: string) => ({ ...payment('g:1', 'g:2', 5n, placed(txHash, 1)), kind: 'x402' })
    const guess = await post(direct('0x91'))
    expect(await post(direct('0x91'))).toBe(guess)
    const id = await post(known('0x91'))
    expect(id).not.toBe(guess)
    expect(await post(direct('0x91'))).toBe(id)
    expect(await post({ ...known('0x91'), kind: 'another' })).toBe(id)
    expect(await balanceOf(db, 'g:2')).toBe(5n)
    expect(await balanceOf(db, 'g:1')).toBe(-5n)
    expect(await balanceOf(db, 'outside')).toBe(0n)

    const places = Array.from({ length: 20 }, (_, index) => `0xa${index}`)
    await Promise.all(places.flatMap((place) => [post(direct(place)), post(known(place))]))
    expect(await balanceOf(db, 'g:2')).toBe(5n + 20n * 5n)
    expect(await balanceOf(db, 'g:1')).toBe(-5n - 20n * 5n)
    expect(await balanceOf(db, 'outside')).toBe(0n)
  })

  test('can be reversed once, and its fact then be posted again', async () => {
    const { db } = database
    const entry = payment('r:1', 'r:2', 9n, placed('0xcd', 1))
    const id = await post(entry)
    const reversal = await db.transaction((tx) => reverseEntry(tx, id, 'reorganisation'))
    expect(await db.transaction((tx) => reverseEntry(tx, id, 'again'))).toBe(reversal)
    expect(await balanceOf(db, 'r:2')).toBe(0n)
    const second = await post(entry)
    expect(second).not.toBe(id)
    expect(await post(entry)).toBe(second)
    expect(await balanceOf(db, 'r:2')).toBe(9n)
  })
})

describe('the database itself', () => {
  test.each([
    ['update', sql`update journal_entries set kind = 'forged'`],
    ['delete', sql`delete from journal_entries`],
    ['truncate', sql`truncate journal_entries cascade`],
    ['update of postings', sql`update journal_postings set amount_micro = 1`],
    ['delete of postings', sql`delete from journal_postings`],
    ['truncate of postings', sql`truncate journal_postings`],
  ])('refuses %s', async (_name, statement) => {
    await post(payment('d:1', 'd:2', 1n))
    await expect(database.db.run(statement)).rejects.toMatchObject({ code: '23001' })
  })

  test('refuses at commit what does not sum to zero, and entries without postings', async () => {
    const insert = sql`insert into journal_entries (id, kind, at) values ('forged', 'x', now())`
    await expect(database.db.run(insert)).rejects.toMatchObject({ code: '23514' })
    await expect(
      database.db.transaction(async (tx) => {
        await tx.run(insert)
        await tx.run(sql`insert into journal_postings values ('forged', 'a', 1), ('forged', 'b', 1)`)
      }),
    ).rejects.toMatchObject({ code: '23514' })
    const id = await post(payment('e:1', 'e:2', 1n))
    await expect(
      database.db.run(sql`insert into journal_postings values (${id}, 'e:3', 1)`),
    ).rejects.toMatchObject({ code: '23514' })
  })
})

test('sums can be narrowed by kind, direction, time and reference, and count a reversal where the original counted', async () => {
  const { db } = database
  const account = walletAccount('0xAA')
  await post(
    payment('s:x', account, 10n, { kind: 'earned', reference: { agentId: 'agent-1', ownerId: 'o' } }),
  )
  await post(
    payment('s:x', account, 20n, { kind: 'earned', reference: { agentId: 'agent-2', ownerId: 'o' } }),
  )
  await post(payment(account, 's:x', 4n, { kind: 'withdrawn', at: new Date('2026-12-01T00:00:00Z') }))
  const undone = await post(
    payment('s:x', account, 100n, { kind: 'earned', reference: { agentId: 'agent-1' } }),
  )
  await db.transaction((tx) => reverseEntry(tx, undone, 'test'))
  expect(await balanceOf(db, account)).toBe(26n)
  expect(await sumOf(db, { account, direction: 'in' })).toBe(30n)
  expect(await sumOf(db, { account, direction: 'out' })).toBe(-4n)
  expect(await sumOf(db, { account, kinds: ['earned'], agentId: 'agent-1' })).toBe(10n)
  expect(await sumOf(db, { account, ownerId: 'o' })).toBe(30n)
  expect(await sumOf(db, { account, from: new Date('2026-11-30T00:00:00Z') })).toBe(-4n)
  expect(await sumOf(db, { account, to: new Date('2026-11-30T00:00:00Z') })).toBe(30n)
})

test('accounts have one spelling each', () => {
  expect(walletAccount('0xAbC')).toBe(walletAccount('0xaBc'))
  expect(escrowAccount('0xAbC')).toBe(escrowAccount('0xaBc'))
  expect(
    new Set([
      walletAccount('0x1'),
      escrowAccount('0x1'),
      owedAccount('0x1'),
      treasuryAccount(),
      outsideAccount(),
    ]).size,
  ).toBe(5)
})

test('what was booked to a wallet account of a platform address is brought to the platform’s account', async () => {
  const { db } = database
  const address = `0x${'ab'.repeat(20)}`
  await db.run(sql`insert into watched_wallets (address, account) values (${address}, ${spenderAccount()})`)
  await post(payment(outsideAccount(), walletAccount(address), 7n, placed('0xmisplaced', 0)))
  const [file] = (await readdir(migrationsDirectory)).filter((name) =>
    name.endsWith('_platform_accounts.sql'),
  )
  const statements = await readFile(join(migrationsDirectory, file ?? ''), 'utf8')
  const beforeMicro = await balanceOf(db, spenderAccount())
  const statement = { text: statements, values: [], name: 'platform accounts', pieces: [statements] }
  for (const _round of ['first', 'again']) await db.run(statement)
  expect(await balanceOf(db, walletAccount(address))).toBe(0n)
  expect((await balanceOf(db, spenderAccount())) - beforeMicro).toBe(7n)
})
