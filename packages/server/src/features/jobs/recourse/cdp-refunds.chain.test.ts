import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { App } from '../../../app.ts'
import { type CdpWallets, startCdpWallets } from '../../../ports/wallets/testing/start-cdp-wallets.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { createJobCalls, type JobCalls } from '../testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

/** Refunds where CDP holds the keys: its policy lets a wallet pay its owner alone, and a buyer only while a refund is signed. */

const PRICE = 5_000_000n

let cdp: CdpWallets
let world: TestJobs
let hasty: App
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent

beforeAll(async () => {
  cdp = await startCdpWallets()
  const { wallets, token } = cdp
  world = await startJobs({ ports: () => ({ wallets }) })
  hasty = await world.startBeside({ settlementWaitMs: 0 })
  expect(world.chain.facts.usdc).toMatchObject({ name: token.name, version: token.version })
  calls = createJobCalls(world)
  client = await world.newOwner()
  seller = await world.newOwner()
  agent = await world.newAgent(seller)
  await wallets.updateLimits({ walletId: agent.wallet, limits: { payees: [seller.wallet.address] } })
})
afterAll(async () => {
  await world.close()
  await cdp.stub.close()
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

const stealTo = (to: string) => cdp.stealFrom({ walletId: agent.walletId, address: agent.wallet }, to)
const signature = expect.stringMatching(/^0x[0-9a-f]{130}$/)

test('the price goes back to the wallet that paid, and before and after it the policy refuses that wallet', async () => {
  const jobId = await paidJob()
  await expect(stealTo(client.wallet.address)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const refunded = await refund(jobId)
  expect([refunded.statusCode, refunded.json().data.job.refund.status]).toEqual([200, 'CONFIRMED'])
  expect(await balanceOf(client.wallet.address)).toBe(PRICE)
  expect(await balanceOf(agent.wallet)).toBe(0n)
  await expect(stealTo(client.wallet.address)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await stealTo(seller.wallet.address)).toEqual(signature)
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

test('a provider that falls silent before the payer is taken off again: the next attempt does it', async () => {
  const before = await balanceOf(client.wallet.address)
  const jobId = await paidJob()
  let isSigned = false
  cdp.stub.intercept(({ url = '' }, response) => {
    if (!isSigned) {
      isSigned = url.endsWith('/sign/typed-data')
      return false
    }
    response.writeHead(503).end('{}')
    return true
  })
  const url = `/api/jobs/${jobId}/refund`
  const asked = await hasty.http.inject({ method: 'POST', url, headers: seller.headers, payload: {} })
  expect(asked.statusCode).toBe(202)
  await world.engine.runUntilIdle()
  expect(isSigned).toBe(true)
  expect((await calls.jobOf(seller, jobId)).refund.status).toBe('PENDING')
  cdp.stub.intercept(undefined)
  expect(await stealTo(client.wallet.address)).toEqual(signature)

  const isRefunded = async () => {
    await world.engine.runUntilIdle()
    return (await calls.jobOf(seller, jobId)).refund.status === 'CONFIRMED'
  }
  await vi.waitUntil(isRefunded, { timeout: PATIENCE_MS, interval: 100 })
  expect(await balanceOf(client.wallet.address)).toBe(before + PRICE)
  await expect(stealTo(client.wallet.address)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
