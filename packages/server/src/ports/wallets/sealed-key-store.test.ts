import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { reseal } from '../../platform/sealing/reseal.ts'
import { createSealer } from '../../platform/sealing/sealer.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createEmbeddedWallets } from './embedded.ts'
import { createSealedKeyStore, type SealedKeyStore, sealedWalletKeys } from './sealed-key-store.ts'

let database: TestDatabase
let store: SealedKeyStore
const token = {
  name: 'USDC',
  version: '2',
  chainId: 84_532,
  verifyingContract: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
}
const oldKey = { id: 'k1', key: randomBytes(32) }
const newKey = { id: 'k2', key: randomBytes(32) }

beforeAll(async () => {
  database = await createTestDatabase()
  store = createSealedKeyStore(database.db)
})
afterAll(() => database.close())

const spendFrom = (from: string) => ({
  domain: token,
  from,
  to: token.verifyingContract,
  value: 1n,
  validAfter: 0n,
  validBefore: 2n ** 40n,
  nonce: `0x${'00'.repeat(32)}`,
})

test('the first save stands, and what is read is what was saved', async () => {
  const first = { address: `0x${'11'.repeat(20)}`, sealedKey: 'k1.first', perTxLimitMicro: 7n }
  const second = { address: `0x${'22'.repeat(20)}`, sealedKey: 'k1.second', perTxLimitMicro: undefined }
  expect(await store.load('cfirst')).toBeUndefined()
  expect(await store.save('cfirst', first)).toEqual(first)
  expect(await store.save('cfirst', second)).toEqual(first)
  expect(await store.changeLimit('cfirst', undefined)).toBe(true)
  expect(await store.load('cfirst')).toEqual({ ...first, perTxLimitMicro: undefined })
  expect(await store.changeLimit('cnobody', 1n)).toBe(false)
  const other = { id: 'cfirst', owner: '', sealed: 'k1.other' }
  expect(await sealedWalletKeys(database.db).replace(other, 'k2.third')).toBe(false)
  await database.db.run(sql`delete from agent_wallet_keys`)
})

test('the master key can be changed while the service runs, and the old one thrown away afterwards', async () => {
  const before = createEmbeddedWallets({ masterKeys: { current: oldKey }, store, token })
  const agentIds = ['c1', 'c2', 'c3']
  const made = await Promise.all(agentIds.map((agentId) => before.provision({ agentId, limits: {} })))

  const masterKeys = { current: newKey, previous: [oldKey] }
  const during = createEmbeddedWallets({ masterKeys, store, token })
  await during.provision({ agentId: 'c4', limits: {} })
  for (const { walletId, address } of made)
    await during.signTransfer({ walletId, authorization: spendFrom(address) })

  // Two at once, as two processes would: every key is sealed again exactly once.
  const run = () => reseal(createSealer(masterKeys), sealedWalletKeys(database.db))
  const runs = await Promise.all([run(), run()])
  expect(runs[0].resealed + runs[1].resealed).toBe(3)
  expect(await run()).toEqual({ resealed: 0, unreadable: 0 })

  const after = createEmbeddedWallets({ masterKeys: { current: newKey }, store, token })
  for (const [index, agentId] of agentIds.entries())
    expect(await after.provision({ agentId, limits: {} })).toEqual(made[index])
  await expect(before.provision({ agentId: 'c1', limits: {} })).rejects.toMatchObject({
    code: 'INTERNAL_ERROR',
  })
})

test('a key moved to another agent’s row is an error, and nothing is signed', async () => {
  const wallets = createEmbeddedWallets({ masterKeys: { current: newKey }, store, token })
  const victim = await wallets.provision({ agentId: 'cvictim', limits: {} })
  const thief = await wallets.provision({ agentId: 'cthief', limits: {} })
  const stolen = await store.load('cvictim')
  await database.db.run(sql`
    update agent_wallet_keys set sealed_key = ${stolen?.sealedKey ?? ''} where agent_id = 'cthief'`)
  const authorization = spendFrom(thief.address)
  await expect(wallets.signTransfer({ walletId: 'cthief', authorization })).rejects.toMatchObject({
    code: 'INTERNAL_ERROR',
  })
  await wallets.signTransfer({ walletId: 'cvictim', authorization: spendFrom(victim.address) })
})
