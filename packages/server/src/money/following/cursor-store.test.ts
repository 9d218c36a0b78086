import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { BlockHeader } from '../../ports/chain/port.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { beginCursor, listBlocks, moveCursor, pruneBlocks, storeBlocks } from './cursor-store.ts'

const chainId = 31337

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const block = (number: number, fork = 'a'): BlockHeader => ({
  number: BigInt(number),
  hash: `0x${fork}${number}`,
  parentHash: '0x00',
  timestamp: number,
  logsBloom: '0x',
  receiptsRoot: '0x',
  transactionHashes: [],
})

test('blocks that are read again after going back below what was pruned are pruned again', async () => {
  const { db } = database
  const known = async () => (await listBlocks(db, chainId, 100)).map(({ number }) => Number(number))
  const readTo = async (numbers: number[], fork?: string) => {
    const blocks = numbers.map((number) => block(number, fork))
    await storeBlocks(db, chainId, blocks)
    await moveCursor(db, chainId, block(numbers.at(-1) ?? 0, fork))
    await db.run(sql`update chain_cursors set finalized_number = block_number`)
    await pruneBlocks(db, chainId)
  }
  await beginCursor(db, chainId, block(0))
  await readTo([1, 2, 3, 4, 5])
  expect(await known()).toEqual([5])
  await storeBlocks(db, chainId, [block(2)])
  await db.run(sql`delete from chain_blocks where number > 2`)
  await moveCursor(db, chainId, block(2))
  await readTo([3, 4, 5, 6], 'b')
  expect(await known()).toEqual([6])
})
