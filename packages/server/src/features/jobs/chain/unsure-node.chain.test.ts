import { prepareApprove, prepareDeposit } from '@agent-marketplace/chain'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { orderReread, readReread } from '../../../money/following/reread-store.ts'
import type { Liar } from '../../../money/testing/chaos-chain.ts'
import { withoutProofs } from '../../../money/testing/without-proofs.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { ChainPort, Hex, JobTerms } from '../../../ports/chain/port.ts'
import { termsOf } from '../lifecycle/escrow-terms.ts'
import { findJob } from '../lifecycle/store.ts'
import type { JobCalls } from '../testing/job-calls.ts'
import { startDeal } from '../testing/start-deal.ts'
import type { TestAgent, TestJobs, TestOwner } from '../testing/start-jobs.ts'

/** A node that leaves out what happened: nobody's money is forgotten, and nothing else stands still. */

const DAY = 24 * 3600
let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let agent: TestAgent
/** Whether the engine reads as it did before logs had to be proven. */
let isCredulous = false

beforeAll(async () => {
  ;({ world, calls, client, seller, agent } = await startDeal({
    ports: ({ chain }) => ({ chain: sometimesCredulous(chain) }),
  }))
  for (const { wallet } of [seller, client]) await world.give(wallet.address, 1n)
})
afterAll(() => world.close())
afterEach(async () => {
  world.chaos.setLiar(undefined)
  await world.engine.runUntilIdle()
  expect(await world.breaches()).toEqual([])
})

function sometimesCredulous(chain: ChainPort): ChainPort {
  const plain = withoutProofs(chain).reader
  return {
    ...chain,
    reader: {
      ...chain.reader,
      getBlockEvents: (query) => (isCredulous ? plain : chain.reader).getBlockEvents(query),
    },
  }
}

const saysNothing: Liar = async ({ method, params }, ask) =>
  method === 'eth_getLogs' || method === 'eth_getBlockReceipts' ? [] : ask(method, params)

async function deposit(terms: JobTerms, owner: TestOwner): Promise<void> {
  const { escrow, usdc } = world.chain.facts.contracts
  const { amountMicro } = terms
  await world.give(owner.wallet.address, amountMicro)
  await world.execute(
    owner.wallet,
    prepareApprove({ usdc: usdc as Hex, spender: escrow as Hex, amountMicro }),
  )
  await world.execute(owner.wallet, prepareDeposit({ escrow: escrow as Hex, terms }))
}

async function depositFor(jobId: string): Promise<Hex> {
  const row = await findJob(world.db, jobId)
  if (!row?.escrowKey) throw new Error(`no escrow job ${jobId}`)
  await deposit(termsOf(row, world.chain), client)
  return row.escrowKey as Hex
}

const stateOf = async (jobId: string) => {
  const { status, escrowState } = await calls.jobOf(client, jobId)
  return [status, escrowState]
}

test('a block whose logs the node leaves out is not passed over: the deposit counts as soon as the node shows it', async () => {
  const { jobId } = await calls.hire(client, agent, '150000000')
  await depositFor(jobId)
  world.chaos.setLiar(saysNothing)
  for (let round = 0; round < 3; round += 1) await world.engine.runOnce().catch(() => undefined)
  expect(await stateOf(jobId)).toEqual(['PENDING', 'UNFUNDED'])
  world.chaos.setLiar(undefined)
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['IN_PROGRESS', 'FUNDED'])
})

async function cancelUnseen(): Promise<{ jobId: string; key: Hex }> {
  const { jobId } = await calls.hire(client, agent, '150000000')
  isCredulous = true
  const key = await depositFor(jobId)
  world.chaos.setLiar(saysNothing)
  await world.engine.runUntilIdle()
  world.chaos.setLiar(undefined)
  isCredulous = false
  await world.advance(DAY)
  await world.engine.runUntilIdle()
  await world.runTicks()
  expect(await stateOf(jobId)).toEqual(['CANCELLED', 'UNFUNDED'])
  return { jobId, key }
}

test('a job that was closed on chain and never seen funded is set aside, holds up nobody, and is repaired', async () => {
  const { jobId, key } = await cancelUnseen()
  await world.execute(seller.wallet, world.chain.escrow.refund({ key }))
  const forgets: Liar = async ({ method, params }, ask) =>
    method === 'eth_getLogs' ? [] : ask(method, params)
  world.chaos.setLiar(forgets)
  const { jobId: otherId } = await calls.hire(client, agent, '120000000')
  await depositFor(otherId)
  await world.engine.runUntilIdle()
  expect(await stateOf(otherId)).toEqual(['IN_PROGRESS', 'FUNDED'])
  expect(await world.engine.status()).toMatchObject({ setAsideCount: 1 })
  expect(world.alarms).toContainEqual(expect.stringContaining('set aside'))

  world.chaos.setLiar(undefined)
  await world.engine.runOnce()
  expect(await world.engine.status()).toMatchObject({ setAsideCount: 0 })
  expect(await stateOf(jobId)).toEqual(['CANCELLED', 'REFUNDED'])
})

test('the books are compared with the chain on order: what is missing is added once, and late money goes back', async () => {
  const { jobId } = await cancelUnseen()
  const reread = async () => {
    const { id } = await orderReread(world.db, { chainId: 31337, fromBlock: 1n })
    for (let round = 0; round < 50; round += 1) {
      if ((await readReread(world.db, id)).isFinished) return readReread(world.db, id)
      await world.engine.runOnce()
    }
    throw new Error('it does not come to an end')
  }
  const first = await reread()
  expect(first.eventsAdded).toBeGreaterThan(0)
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['CANCELLED', 'REFUNDED'])
  const second = await reread()
  expect([second.eventsAdded, second.eventsFound > first.eventsFound]).toEqual([0, true])
})

test('money that came too late is given back however often the node refuses', async () => {
  const { jobId } = await calls.hire(client, agent, '150000000')
  await calls.act(client, jobId, 'cancel', { reason: 'Never mind.' })
  await depositFor(jobId)
  const refuses: Liar = async ({ method, params }, ask) => {
    if (method === 'eth_call' && 'gas' in (params[0] as object)) {
      throw Object.assign(new Error('execution reverted'), { code: 3 })
    }
    return ask(method, params)
  }
  world.chaos.setLiar(refuses)
  for (let round = 0; round < 5; round += 1) {
    await world.engine.runUntilIdle()
    await world.db.run(sql`update intents set claimed_until = null where status = 'PENDING'`)
  }
  expect(await stateOf(jobId)).toEqual(['CANCELLED', 'FUNDED'])
  expect(world.alarms).toContainEqual(expect.stringContaining('owes'))
  world.chaos.setLiar(undefined)
  await world.engine.runUntilIdle()
  expect(await stateOf(jobId)).toEqual(['CANCELLED', 'REFUNDED'])
})

test('a stranger’s deposit that names our job is not booked under it', async () => {
  const stranger = await world.newOwner()
  const { jobId } = await calls.hire(client, agent, '150000000')
  const { address } = stranger.wallet
  const terms = {
    jobRef: world.chain.escrow.refOf(jobId),
    client: address,
    seller: address,
    agentWallet: address,
    amountMicro: 7n,
    deadline: 0,
  }
  await deposit(terms, stranger)
  await world.execute(stranger.wallet, world.chain.escrow.refund({ key: world.chain.escrow.keyOf(terms) }))
  await depositFor(jobId)
  await world.engine.runUntilIdle()
  const entries = await world.db.rows<{ kind: string }>(
    sql`select kind from journal_entries where job_id = ${jobId}`,
  )
  expect(entries).toEqual([{ kind: 'escrow.funded' }])
})
