import { expect, test } from 'vitest'
import { createMoneyWorld } from './testing/money-world.ts'
import { type SimulationOptions, type SimulationReport, simulate } from './testing/simulation/simulation.ts'

async function run(options: Omit<SimulationOptions, 'lies'>): Promise<SimulationReport> {
  const world = await createMoneyWorld()
  try {
    return await simulate(world, { ...options, lies: true })
  } finally {
    await world.close()
  }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'a node that lies and a stranger who is first: nothing is lost, doubled or stuck, seed %i',
  async (seed) => {
    const { breaches, counts } = await run({ seed, steps: 20 })
    expect(breaches).toEqual([])
    expect(counts.stuck).toBe(0)
  },
)

/** One protection less shows in nearly every seed, once the node reports the lies that it is there for. */
test.each(['confirmations', 'proofs'] as const)('without %s the simulation fails', async (without) => {
  let breachCount = 0
  for (let seed = 6; seed < 16 && breachCount === 0; seed += 1) {
    breachCount = (await run({ seed, steps: 60, without })).breaches.length
  }
  expect(breachCount).toBeGreaterThan(0)
})
