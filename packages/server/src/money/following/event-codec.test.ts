import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { ChainEvent } from '../../ports/chain/port.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { decodeEvent, encodeEvent } from './event-codec.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const registered = (agentUri: string): ChainEvent => ({
  name: 'AgentRegistered',
  agentId: 2n ** 200n,
  owner: '0x00000000000000000000000000000000000000aA',
  agentUri,
  blockNumber: 7n,
  blockHash: '0x01',
  transactionHash: '0x02',
  logIndex: 3,
})

const storeAndRead = async (event: ChainEvent): Promise<ChainEvent> => {
  const { args } = await database.db.one<{ args: unknown }>(sql`select ${encodeEvent(event)}::jsonb as args`)
  return decodeEvent(args)
}

test('an event comes back from the database as it was', async () => {
  const event = registered('https://example.test/“agent”\n.json')
  expect(await storeAndRead(event)).toEqual(event)
})

test.each([
  ['a NUL', 'a\0b'],
  ['half a pair', 'a\ud800b'],
])('%s in a text that a stranger chose does not stand in the way of its block', async (_name, agentUri) => {
  expect(await storeAndRead(registered(agentUri))).toEqual(registered('a\ufffdb'))
})
