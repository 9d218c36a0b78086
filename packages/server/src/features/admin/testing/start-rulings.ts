import { prepareRefund } from '@agent-marketplace/chain'
import { testAccount } from '../../../money/testing/money-world.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Hex } from '../../../ports/chain/port.ts'
import { createJobCalls } from '../../jobs/testing/job-calls.ts'
import { startJobs } from '../../jobs/testing/start-jobs.ts'
import { createConsoleCalls } from './start-console.ts'

export const PRICE_MICRO = 1_000_000_001n

/** A world with an admin, a Safe whose owners sign, and jobs that are disputed. */
export async function startRulings() {
  const world = await startJobs()
  const { chaos, chain } = world
  const { roles, addresses } = chaos
  const calls = createJobCalls(world)
  const [client, seller] = [await world.newOwner(), await world.newOwner()]
  const stranger = testAccount(9)
  for (const { address } of [seller.wallet, stranger]) await world.give(address, 1n)

  /** A job that is paid for, and the key of its deposit. */
  async function newFundedJob() {
    const agent = await world.newAgent(seller)
    const id = await calls.hireAndFund(client, agent, PRICE_MICRO.toString())
    const { escrowKey: key } = await world.db.one<{ escrowKey: Hex }>(
      sql`select escrow_key from jobs where id = ${id}`,
    )
    return { id, key, agentWallet: agent.wallet }
  }

  return {
    ...world,
    ...createConsoleCalls(world),
    client,
    seller,
    stranger,
    safe: chain.arbiter,
    safeOwners: [roles.safeOwner1, roles.safeOwner2, roles.safeOwner3] as const,
    newFundedJob,
    act: calls.act,

    /** A job that is funded and disputed on chain. */
    async newDispute() {
      const job = await newFundedJob()
      const { statusCode, body } = await calls.act(client, job.id, 'dispute', { reason: 'Half is missing.' })
      if (statusCode !== 200) throw new Error(`the dispute returned ${statusCode}: ${body}`)
      return job
    },

    /** The seller gives the money back, from their own wallet. */
    giveBack: (key: Hex) => world.execute(seller.wallet, prepareRefund({ escrow: addresses.escrow, key })),
  }
}
