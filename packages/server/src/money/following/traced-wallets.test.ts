import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { beginCursor, readCursor } from './cursor-store.ts'
import { createReadWallets, markTraced } from './traced-wallets.ts'
import { forgetFollowedAbove, markFollowed, watchWallets } from './watched-wallets.ts'

const chainId = 31337

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  const { db } = database
  for (const table of ['watched_wallets', 'traced_wallets', 'chain_cursors', 'chain_blocks'])
    await db.run(sql`delete from ${sql.ident(table)}`)
  await beginCursor(db, chainId, {
    number: 0n,
    hash: '0xb0',
    parentHash: '0x00',
    timestamp: 0,
    logsBloom: '0x',
    receiptsRoot: '0x',
    transactionHashes: [],
  })
  await watchWallets(
    db,
    ['0xa', '0xb', '0xc'].map((address) => ({ address, account: `wallet:${address}` })),
  )
  await db.run(sql`insert into traced_wallets (address) values ('0xt')`)
})

const taken = (...addresses: string[]) => ({ chainId, addresses, sinceBlock: 5n })

/** As a worker does that knows nothing of `changed_in`. */
const markFollowedAsBefore = (...addresses: string[]) =>
  database.db.transaction(async (tx) => {
    await tx.run(sql`update chain_cursors set watch_version = watch_version + 1`)
    await tx.run(sql`update watched_wallets set since_block = 5 where address = any(${addresses}::text[])`)
  })

function readNow(readWallets: ReturnType<typeof createReadWallets>) {
  return async () => {
    const { watchVersion } = (await readCursor(database.db, chainId)) ?? expect.unreachable('no cursor')
    const { all, watched } = await readWallets(watchVersion)
    return [[...all].sort(), [...watched].sort()]
  }
}

test('what is taken up and forgotten is read with each version', async () => {
  const { db } = database
  const read = readNow(createReadWallets(db))
  expect(await read()).toEqual([[], []])
  await markFollowed(db, taken('0xa', '0xb'))
  await markTraced(db, taken('0xt'))
  expect(await read()).toEqual([
    ['0xa', '0xb', '0xt'],
    ['0xa', '0xb'],
  ])
  await forgetFollowedAbove(db, { chainId, blockNumber: 4n })
  expect(await read()).toEqual([['0xt'], []])
})

test('what a worker of the release before takes up is read too, alone and among others', async () => {
  const { db } = database
  const read = readNow(createReadWallets(db))
  await read()
  await markFollowedAsBefore('0xa')
  expect(await read()).toEqual([['0xa'], ['0xa']])
  await markFollowed(db, taken('0xb'))
  await markFollowedAsBefore('0xc')
  expect((await read())[1]).toEqual(['0xa', '0xb', '0xc'])
})

test('a version that goes back after a failover is not believed to hold what was known', async () => {
  const { db } = database
  const read = readNow(createReadWallets(db))
  await markFollowed(db, taken('0xa'))
  await markFollowed(db, taken('0xb'))
  expect((await read())[1]).toEqual(['0xa', '0xb'])
  await db.run(sql`update watched_wallets set since_block = null, changed_in = 0 where address = '0xb'`)
  await db.run(sql`update chain_cursors set watch_version = watch_version - 1`)
  expect((await read())[1]).toEqual(['0xa'])
})
