import { encodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { owedAccount } from '../../money/books/accounts.ts'
import { sumOf } from '../../money/testing/sum-of.ts'
import { sql } from '../../platform/db/sql.ts'
import type { JobCalls } from '../jobs/testing/job-calls.ts'
import { startDeal } from '../jobs/testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../jobs/testing/start-jobs.ts'

/** The token refuses to pay a blocked wallet: the escrow holds the payment until it can be claimed. */

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent
/** Both are paid for before any wallet is blocked: the faucet and the token's list share an account. */
let jobs: [string, string]

beforeAll(async () => {
  ;({ world, calls, client, seller, agent } = await startDeal())
  jobs = [await calls.hireAndFund(client, agent), await calls.hireAndFund(client, agent)]
})
afterAll(() => world.close())
afterEach(async () => {
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

const listing = (name: 'blacklist' | 'unBlacklist') =>
  world.execute(world.chaos.roles.faucet, {
    to: world.chain.checksumAddress(world.chain.facts.contracts.usdc),
    data: encodeFunctionData({
      abi: [
        {
          type: 'function',
          name,
          stateMutability: 'nonpayable',
          inputs: [{ name: 'a', type: 'address' }],
          outputs: [],
        },
      ],
      args: [world.chain.checksumAddress(agent.wallet)],
    }),
    value: 0n,
  })

const newsOf = async () =>
  (
    await world.db.rows<{ title: string }>(
      sql`select title from notifications where owner_id = ${seller.ownerId} order by created_at, id`,
    )
  ).map(({ title }) => title)

const heldMicro = () => sumOf(world.db, { account: owedAccount(agent.wallet) })

const claims = async () =>
  (
    await world.db.rows<{ status: string }>(
      sql`select status from intents where kind = 'escrow.claim' order by seq`,
    )
  ).map(({ status }) => status)

async function claimRound(seconds: number): Promise<string[]> {
  await world.advance(seconds)
  await world.runTicks()
  await world.engine.runUntilIdle()
  return claims()
}

test('a payment to a blocked wallet is held, claimed repeatedly, and announced when it arrives', async () => {
  const [jobId] = jobs
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  await listing('blacklist')
  await calls.act(client, jobId, 'approve')
  await world.engine.runUntilIdle()

  expect(await heldMicro()).toBe(147_000_000n)
  expect(await newsOf()).toContain('Payment held for claim')
  expect(await newsOf()).not.toContain('Payment received')
  const { timeline } = await calls.jobOf(client, jobId)
  const paidOut = timeline.find(({ type }: { type: string }) => type === 'ESCROW_RELEASED')
  expect(paidOut.message).toContain('147.00 USDC held for the agent to claim')

  // One try at once, the next after a minute, then after two: each refused trial costs no gas.
  expect(await claimRound(1)).toEqual(['REJECTED'])
  expect(await claimRound(10)).toEqual(['REJECTED'])
  expect(await claimRound(60)).toEqual(['REJECTED', 'REJECTED'])
  expect(await claimRound(60)).toEqual(['REJECTED', 'REJECTED'])
  await listing('unBlacklist')
  expect(await claimRound(60)).toEqual(['REJECTED', 'REJECTED', 'SETTLED'])

  expect(await heldMicro()).toBe(0n)
  expect(await world.chain.usdc.balanceOf(agent.wallet)).toBe(147_000_000n)
  expect(await newsOf()).toContain('Held payment received')
  expect(await claimRound(24 * 3600)).toHaveLength(3)
})

test('a fork takes a claim back; it is made again and arrives once', async () => {
  const before = await world.chain.usdc.balanceOf(agent.wallet)
  const [, jobId] = jobs
  await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
  await listing('blacklist')
  await calls.act(client, jobId, 'approve')
  await world.engine.runUntilIdle()
  await listing('unBlacklist')
  await claimRound(1)
  await world.chaos.reorganise(1, () => false)
  await world.engine.runUntilIdle()
  await claimRound(60)
  expect(await heldMicro()).toBe(0n)
  expect(await world.chain.usdc.balanceOf(agent.wallet)).toBe(before + 147_000_000n)
})
