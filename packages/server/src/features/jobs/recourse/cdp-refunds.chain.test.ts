import { addressesOf } from '@agent-marketplace/chain'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createCdpWallets } from '../../../ports/wallets/cdp.ts'
import type { WalletsPort } from '../../../ports/wallets/port.ts'
import { type CdpStub, startCdpStub } from '../../../ports/wallets/testing/cdp-stub.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { createJobCalls, type JobCalls } from '../testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

/** Refunds where CDP holds the keys: its policy lets a wallet pay its owner alone, and a buyer only while a refund is signed. */

const PRICE = 5_000_000n
const CHAIN_ID = 31_337

let stub: CdpStub
let wallets: WalletsPort
let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  stub = await startCdpStub()
  const token = {
    name: 'USDC',
    version: '2',
    chainId: CHAIN_ID,
    verifyingContract: addressesOf(CHAIN_ID).usdc,
  }
  wallets = await createCdpWallets({ ...stub.credentials, url: stub.url, token, timeoutMs: PATIENCE_MS })
  world = await startJobs({ ports: () => ({ wallets }) })
  expect(world.chain.facts.usdc).toMatchObject({ name: token.name, version: token.version })
  calls = createJobCalls(world)
  client = await world.newOwner()
  seller = await world.newOwner()
  agent = await world.newAgent(seller)
  await wallets.updateLimits({ walletId: agent.wallet, limits: { payees: [seller.wallet.address] } })
})
afterAll(async () => {
  await world.close()
  await stub.close()
})
afterEach(async () => {
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

async function paidJob(): Promise<string> {
  await world.give(client.wallet.address, PRICE)
  const { jobId } = await calls.hire(client, agent, PRICE.toString())
  const header = await calls.x402Header(client.wallet, await calls.act(client, jobId, 'pay'))
  await world.whileWorking(calls.send(client, `/api/jobs/${jobId}/pay`, undefined, header))
  return jobId
}

const balanceOf = (wallet: string) => world.chain.usdc.balanceOf(wallet)
const refund = (jobId: string) => world.whileWorking(calls.send(seller, `/api/jobs/${jobId}/refund`, {}))

/** What a thief with this service's credentials would try. */
const stealTo = (to: string) =>
  wallets.signTransfer({
    walletId: agent.wallet,
    authorization: {
      domain: {
        name: 'USDC',
        version: '2',
        chainId: CHAIN_ID,
        verifyingContract: addressesOf(CHAIN_ID).usdc,
      },
      from: agent.wallet,
      to,
      value: 1n,
      validAfter: 0n,
      validBefore: 2_000_000_000n,
      nonce: `0x${'01'.repeat(32)}`,
    },
  })

test('the price goes back to the wallet that paid, and before and after it the policy refuses that wallet', async () => {
  const jobId = await paidJob()
  await expect(stealTo(client.wallet.address)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const refunded = await refund(jobId)
  expect([refunded.statusCode, refunded.json().data.job.refund.status]).toEqual([200, 'CONFIRMED'])
  expect(await balanceOf(client.wallet.address)).toBe(PRICE)
  expect(await balanceOf(agent.wallet)).toBe(0n)
  await expect(stealTo(client.wallet.address)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await stealTo(seller.wallet.address)).toMatch(/^0x[0-9a-f]{130}$/)
})

test('several refunds at once do not shut each other out', async () => {
  const before = await balanceOf(client.wallet.address)
  const jobs = [await paidJob(), await paidJob(), await paidJob()]
  const refunded = await world.whileWorking(
    Promise.all(jobs.map((jobId) => calls.send(seller, `/api/jobs/${jobId}/refund`, {}))),
  )
  expect(refunded.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect(await balanceOf(client.wallet.address)).toBe(before + 3n * PRICE)
  await expect(stealTo(client.wallet.address)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
