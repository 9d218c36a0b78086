import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { IntentRejected } from '../../money/intents/intents.ts'
import { sql } from '../../platform/db/sql.ts'
import { createCdpWallets } from '../../ports/wallets/cdp.ts'
import type { AgentWallet, WalletsPort } from '../../ports/wallets/port.ts'
import { type CdpStub, startCdpStub } from '../../ports/wallets/testing/cdp-stub.ts'
import { PATIENCE_MS } from '../../testing/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createSigning, type SignTransfer } from './signing.ts'

/** Where somebody else holds the keys, whom a wallet may pay is written there. */
const token = {
  name: 'USDC',
  version: '2',
  chainId: 84_532,
  verifyingContract: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
}
const owner = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const payer = `0x${'66'.repeat(20)}`

let database: TestDatabase
let stub: CdpStub
let wallets: WalletsPort
let wallet: AgentWallet
let sign: SignTransfer
let count = 0

beforeAll(async () => {
  database = await createTestDatabase()
  stub = await startCdpStub()
  wallets = await createCdpWallets({ ...stub.credentials, url: stub.url, token, timeoutMs: PATIENCE_MS })
  const limitsOf = async () => ({ payees: [owner] })
  sign = createSigning({ db: database.db, wallets, limitsOf })
  // Neither jobs nor intents are needed for a signature.
  await database.db.run(sql`
    alter table withdrawals drop constraint withdrawals_id_fkey, drop constraint withdrawals_owner_id_fkey,
      drop constraint withdrawals_intent_id_fkey, drop constraint withdrawals_job_id_fkey`)
})
afterAll(async () => {
  await stub.close()
  await database.close()
})
beforeEach(async () => {
  stub.intercept(undefined)
  count += 1
  wallet = await wallets.provision({ agentId: `cagent${count}`, limits: { payees: [owner] } })
})

const authorizationTo = (to: string) => ({
  domain: token,
  from: wallet.address,
  to,
  value: 1n,
  validAfter: 0n,
  validBefore: 2n ** 40n,
  nonce: `0x${'00'.repeat(32)}`,
})

/** A refund where it names a job, else a withdrawal. */
async function order(to: string, jobId: string | null) {
  count += 1
  const withdrawalId = `cwithdrawal${count}`
  await database.db.run(sql`
    insert into withdrawals (id, owner_id, agent_id, job_id, to_address, amount_micro, intent_id, authorization_nonce,
      created_at)
    values (${withdrawalId}, 'cowner', ${wallet.walletId}, ${jobId}, ${to}, 1, 'cintent', ${withdrawalId}, now())`)
  return { withdrawalId, walletId: wallet.walletId, authorization: authorizationTo(to) }
}

const signDirectly = (to: string) =>
  wallets.signTransfer({ walletId: wallet.walletId, authorization: authorizationTo(to) })

const signature = expect.stringMatching(/^0x[0-9a-f]{130}$/)

test('a withdrawal is signed for the owner, and for nobody else', async () => {
  expect(await sign(await order(owner, null))).toEqual(signature)
  await expect(sign(await order(payer, null))).rejects.toThrow(new IntentRejected('WALLET_REFUSED'))
})

test('a refund is signed for the payer, who cannot be paid before or afterwards', async () => {
  await expect(signDirectly(payer)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await sign(await order(payer, 'cjob1'))).toEqual(signature)
  await expect(signDirectly(payer)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await signDirectly(owner)).toEqual(signature)
})

test('a provider that falls silent before the payer is taken off again: the next attempt does it', async () => {
  const refund = await order(payer, 'cjob2')
  let isSigned = false
  stub.intercept(({ url = '' }, response) => {
    if (!isSigned) {
      isSigned = url.endsWith('/sign/typed-data')
      return false
    }
    response.writeHead(503).end('{}')
    return true
  })
  await expect(sign(refund)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  stub.intercept(undefined)
  expect(await signDirectly(payer)).toEqual(signature)
  expect(await sign(refund)).toEqual(signature)
  await expect(signDirectly(payer)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
