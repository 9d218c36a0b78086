import { afterAll, expect, test } from 'vitest'
import { joinRunning } from '../packages/server/scripts/join-running.ts'
import { readConfig } from '../packages/server/src/config/read-config.ts'
import type { Closer } from '../packages/server/src/data.ts'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import { sql } from '../packages/server/src/platform/db/sql.ts'
import { signableOf, signIn } from './client.ts'
import { preparedDirectory } from './service/prepared-directory.ts'
import { endServices, freePort, startService } from './service/service-process.ts'
import { openMarket } from './web/market/market.ts'

const PRICE = 150_000_000n
const directory = preparedDirectory()
afterAll(async () => {
  await endServices()
  directory.remove()
})

test('a stop returns a payment that waits for the chain as pending, and the next start pays it once', async () => {
  const options = { dataDir: `${directory.path}/data`, port: await freePort() }
  const environment = { DATA_DIR: options.dataDir, PORT: String(options.port) }
  const inDatabase = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
    const closers: Closer[] = []
    try {
      return await work((await joinRunning(readConfig(environment), closers)).db as Database)
    } finally {
      for (const close of closers) await close()
    }
  }
  const halt = (reason: string | null) =>
    inDatabase((db) => db.run(sql`update chain_cursors set halted_reason = ${reason}`))

  const first = await startService(options)
  const market = await openMarket(first.url)
  const buyer = await signIn(first.url, await market.newBuyer())
  const { body: hired } = await buyer.post('/api/jobs', {
    agentId: market.agent.id,
    title: 'Reconcile October',
    description: 'All of it.',
    agreedPrice: PRICE.toString(),
  })
  const { jobId, paymentInfo } = hired.data
  const typedData = signableOf(paymentInfo.typedData)
  const signature = await buyer.wallet.signTypedData(typedData)
  const pay = () => buyer.post(`/api/jobs/${jobId}/pay`, { authorization: typedData.message, signature })

  // Nothing is sent to the chain while the engine is halted.
  await halt('by a test')
  const paying = pay()
  await inDatabase((db) =>
    expect.poll(() => db.rows(sql`select id from intents where kind = 'escrow.deposit'`)).toHaveLength(1),
  )
  // After ten seconds it would end by force, with 1.
  const ended = first.end('SIGTERM')
  const reply = await paying
  expect([reply.status, reply.body.data.status], JSON.stringify(reply.body)).toEqual([202, 'PENDING'])
  expect(await ended, first.output()).toBe(0)

  await startService(options)
  const moved = await market.moneyMovedBy(buyer.wallet.address, async () => {
    await halt(null)
    await expect
      .poll(async () => (await buyer.get(`/api/jobs/${jobId}`)).body.data.status)
      .toBe('IN_PROGRESS')
    expect((await pay()).status).toBe(200)
  })
  expect(moved).toEqual({ buyer: -PRICE, agent: 0n, treasury: 0n, escrow: PRICE })
})
