import { expect, test } from 'vitest'
import { printFigures, timesFor } from '../testing/proof.ts'
import { createMoneyWorld } from './testing/money-world.ts'
import { type SimulationReport, simulate } from './testing/simulation/simulation.ts'

const STEPS = 80
const fixedSeeds = [1, 2, 3, 4, 5, 6]

async function run(seed: number, steps = STEPS): Promise<SimulationReport> {
  const world = await createMoneyWorld()
  try {
    return await simulate(world, { seed, steps })
  } finally {
    await world.close()
  }
}

test.each(fixedSeeds)('nothing is lost or doubled, seed %i', async (seed) => {
  const { breaches, counts } = await run(seed)
  expect(breaches).toEqual([])
  expect(counts.settled).toBeGreaterThan(5)
  expect(counts['direct transfer']).toBeGreaterThan(0)
})

test('a seed replays: the same steps, the same blocks, the same outcomes', async () => {
  const steps = timesFor({ usual: 100, proof: 200 })
  const [first, second] = [await run(7, steps), await run(7, steps)]
  expect(second.trace).toEqual(first.trace)
  printFigures('G4', { replayedSteps: steps })
})
