import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { createDatabase } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { createSealer } from '../../platform/sealing/sealer.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { createEmbeddedWallets } from './embedded.ts'
import { createSealedKeyStore, sealOwnerOf } from './sealed-key-store.ts'
import { describeWallets } from './testing/conformance.ts'

describeWallets('embedded', async (token) => {
  const test = await createTestDatabase()
  const masterKeys = { current: { id: 'k1', key: randomBytes(32) } }
  const connect = () =>
    createDatabase({ connection: test.connection, poolSize: 4, log: pino({ level: 'silent' }) })
  let db = connect()
  const open = () => createEmbeddedWallets({ masterKeys, store: createSealedKeyStore(db), token })

  return {
    wallets: open(),
    async secrets() {
      const sealer = createSealer(masterKeys)
      const rows = await test.db.rows<{ agentId: string; address: string; sealedKey: string }>(
        sql`select agent_id, address, sealed_key from agent_wallet_keys`,
      )
      const keys = rows.map((row) => sealer.open(row.sealedKey, sealOwnerOf(row.agentId, row.address)))
      return [masterKeys.current.key, ...keys].flatMap((key) => [
        key.toString('hex'),
        key.toString('base64'),
        key.toString('base64url'),
      ])
    },
    takeDown: () => db.close(),
    async bringBack() {
      db = connect()
      return open()
    },
    async close() {
      await db.close()
      await test.close()
    },
  }
})
