import type { WorldOverrides } from '../../../testing/start-world.ts'
import { createJobCalls } from './job-calls.ts'
import { startJobs } from './start-jobs.ts'

/** A world with both sides of a deal, an agent to hire, and an owner who has no part in it. */
export async function startDeal(overrides: WorldOverrides = {}) {
  const world = await startJobs(overrides)
  const [client, seller, stranger] = await Promise.all([world.newOwner(), world.newOwner(), world.newOwner()])
  return {
    world,
    calls: createJobCalls(world),
    client,
    seller,
    stranger,
    agent: await world.newAgent(seller),
  }
}
