import { getJob } from '@agent-marketplace/chain'
import { expect, test } from 'vitest'
import { createSeededRandom } from '../../../money/testing/seeded-random.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Hex, PreparedCall } from '../../../ports/chain/port.ts'
import type { EscrowFacts } from '../lifecycle/escrow-facts.ts'
import { createJobCalls } from '../testing/job-calls.ts'
import { startJobs, type TestJobs, type TestOwner } from '../testing/start-jobs.ts'

/**
 * Jobs that live at random: both sides through the service and from their own wallets, the clock, the worker and forks, in
 * any order. Whatever happens, in the end the books balance and every job stands where the chain has it.
 */

const STEPS = 90
const PRICE = 100_000_000n
const jobCalls = [
  ['CLIENT', 'approve', {}],
  ['CLIENT', 'request-changes', {}],
  ['CLIENT', 'cancel', {}],
  ['CLIENT', 'dispute', { reason: 'No.' }],
  ['CLIENT', 'dispute/settlement', { sellerBps: 3000 }],
  ['CLIENT', 'dispute/settlement/accept', {}],
  ['SELLER', 'deliver', { deliveryCid: 'bafkreigh2akiscai' }],
  ['SELLER', 'deliver', { deliveryCid: 'bafkreigh2akiscai' }],
  ['SELLER', 'refund', {}],
  ['SELLER', 'dispute', { reason: 'No.' }],
  ['SELLER', 'dispute/settlement', { sellerBps: 0 }],
  ['SELLER', 'dispute/settlement/accept', {}],
] as const

interface Player {
  world: TestJobs
  client: TestOwner
  seller: TestOwner
}

/** What a party may try on the chain by itself; much of it is refused there. */
const ownSteps: ((key: Hex, world: TestJobs) => { by: 'client' | 'seller'; call: PreparedCall })[] = [
  (key, { chain }) => ({
    by: 'seller',
    call: chain.escrow.submit({ key, deliveryHash: `0x${'d1'.repeat(32)}` }),
  }),
  (key, { chain }) => ({ by: 'client', call: chain.escrow.release({ key }) }),
  (key, { chain }) => ({ by: 'client', call: chain.escrow.requestChanges({ key }) }),
  (key, { chain }) => ({ by: 'seller', call: chain.escrow.refund({ key }) }),
  (key, { chain }) => ({ by: 'client', call: chain.escrow.openDispute({ key, onBehalfOf: 'client' }) }),
  (key, { chain }) => ({
    by: 'seller',
    call: chain.escrow.proposeSettlement({ key, onBehalfOf: 'seller', sellerBps: 6000 }),
  }),
]

async function simulate(seed: number): Promise<void> {
  const random = createSeededRandom(seed)
  const world = await startJobs({ settlementWaitMs: 0 })
  try {
    const calls = createJobCalls(world)
    const [client, seller] = [await world.newOwner(), await world.newOwner()]
    const player: Player = { world, client, seller }
    const agent = await world.newAgent(seller)
    await world.give(client.wallet.address, 50n * PRICE)
    await world.give(seller.wallet.address, 1n)
    // Forks reach back over what happens from here on.
    for (let count = 0; count < 6; count += 1) await world.advance(1)
    const jobs: { id: string; key: Hex }[] = []

    const hire = async () => {
      const more = random.chance(0.5) ? { deadlineHours: 24 } : {}
      const { jobId, paymentInfo } = await calls.hire(client, agent, PRICE.toString(), more)
      jobs.push({ id: jobId, key: paymentInfo.typedData.message.nonce })
      const paid = await calls.act(
        client,
        jobId,
        'pay',
        await calls.sign(client.wallet, paymentInfo.typedData),
      )
      expect(paid.statusCode, paid.body).toBe(202)
    }
    const callService = async () => {
      const [side, verb, body] = random.pick(jobCalls)
      const response = await calls.act(side === 'CLIENT' ? client : seller, random.pick(jobs).id, verb, body)
      expect([200, 202, 409], response.body).toContain(response.statusCode)
    }
    const actAlone = async () => {
      const { by, call } = random.pick(ownSteps)(random.pick(jobs).key, world)
      await world.execute(player[by].wallet, call).catch(() => undefined)
    }
    const fork = () => world.chaos.reorganise(1 + random.below(3), () => random.chance(0.6))
    const steps = [
      hire,
      ...Array(6).fill(callService),
      actAlone,
      ...Array(3).fill(() => world.engine.runOnce()),
      () => world.engine.runUntilIdle(),
      () => world.advance(random.pick([60, 3600, 86_400, 4 * 86_400])),
      () => world.runTicks(),
      fork,
    ]
    await hire()
    for (let step = 0; step < STEPS; step += 1) await random.pick(steps)()

    await world.engine.runUntilIdle()
    expect(await world.breaches()).toEqual([])
    await compareWithChain(world, jobs)
  } finally {
    await world.close()
  }
}

const chainStates: Record<string, string[]> = {
  none: ['UNFUNDED'],
  funded: ['FUNDED'],
  submitted: ['SUBMITTED'],
  disputed: ['DISPUTED'],
  closed: ['RELEASED', 'REFUNDED', 'SETTLED', 'RULED', 'EXPIRED'],
}

/** The facts that were added up from events, against what the contract itself says now. */
async function compareWithChain(world: TestJobs, jobs: { id: string; key: Hex }[]): Promise<void> {
  const escrow = world.chain.facts.contracts.escrow as Hex
  for (const { id, key } of jobs) {
    const onChain = await getJob(world.chaos.client, { escrow, key })
    const row = await world.db.one<{ facts: EscrowFacts; open: string[] }>(
      sql`select escrow_facts as facts, open_intents as open from jobs where id = ${id}`,
    )
    expect(chainStates[onChain?.state ?? 'none'], id).toContain(row.facts.state)
    expect(row.facts.changeRequests).toBe(onChain?.changeRequests ?? 0)
    expect(row.open).toEqual([])
  }
}

test.each([1, 2, 3, 4])('seed %i', (seed) => simulate(seed))
