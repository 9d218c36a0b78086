import { prepareApprove, prepareDeposit } from '@agent-marketplace/chain'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Hex } from '../../../ports/chain/port.ts'
import type { JobCalls } from '../testing/job-calls.ts'
import { startDeal } from '../testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../testing/start-jobs.ts'

/** The escrow is open to everybody: whatever strangers put into it, the service goes on. */

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let stranger: TestOwner
let agent: TestAgent

beforeAll(async () => {
  ;({ world, calls, client, stranger, agent } = await startDeal())
  await world.give(stranger.wallet.address, 1_000_000n)
})
afterAll(() => world.close())
afterEach(async () => {
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

const refs: [what: string, jobRef: Hex][] = [
  ['a number', `0x${'00'.repeat(31)}01`],
  ['nothing', `0x${'00'.repeat(32)}`],
  ['a text with a gap', `0x6a6f62002d31${'00'.repeat(26)}`],
  ['a hash', `0x${'f7'.repeat(32)}`],
]

test.each(refs)('a deposit whose reference is %s, funded and given back', async (_what, jobRef) => {
  const { escrow, usdc } = world.chain.facts.contracts
  const { address } = stranger.wallet
  const terms = {
    jobRef,
    client: address,
    seller: address,
    agentWallet: address,
    amountMicro: 1n,
    deadline: 0,
  }
  await world.execute(
    stranger.wallet,
    prepareApprove({ usdc: usdc as Hex, spender: escrow as Hex, amountMicro: 1n }),
  )
  await world.execute(stranger.wallet, prepareDeposit({ escrow: escrow as Hex, terms }))
  await world.execute(stranger.wallet, world.chain.escrow.refund({ key: world.chain.escrow.keyOf(terms) }))
  const jobId = await calls.hireAndFund(client, agent)
  expect((await calls.jobOf(client, jobId)).status).toBe('IN_PROGRESS')
})
