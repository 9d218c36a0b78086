import type { Liar, Weather } from '../chaos-chain.ts'
import { expireLeases } from '../closed-world.ts'
import type { Workers, WorkersOptions } from './workers.ts'

const DAY = 86_400

const weathers: Weather[] = ['fair', 'fair', 'slow', 'response lost', 'dropped', 'forgotten', 'doubled']

type DisturbancesOptions = Pick<WorkersOptions, 'world' | 'random' | 'lies' | 'forkDepth' | 'count'> & {
  workers: Workers
  liar: Liar
  /** No fork goes deeper. */
  floor: number
}

/** Something goes wrong: with the node, the chain, the clock or the worker. Returns what it was. */
export function createDisturbances({
  world,
  random,
  lies,
  forkDepth,
  count,
  workers,
  liar,
  floor,
}: DisturbancesOptions) {
  const { chaos } = world

  /** Clocks jump: leases run out early, and what was postponed is due. */
  const jumpClock = async (): Promise<void> => {
    await expireLeases(world)
    await chaos.mine(random.pick([1, 3_600, DAY, 8 * DAY, 31 * DAY]))
  }

  const reorganise = async (): Promise<void> => {
    const depth = Math.min(1 + random.below(forkDepth), chaos.depth() - floor)
    const mask = random.below(2 ** 30)
    if (depth <= 0) return
    count(depth > 10 ? 'fork of 11 to 20' : depth > 5 ? 'fork of 6 to 10' : 'fork of 1 to 5')
    await chaos.reorganise(depth, (index) => ((mask >> (index % 30)) & 1) === 1)
  }

  return async (): Promise<string> => {
    if (lies && random.chance(0.3)) {
      const isLying = random.chance(0.75)
      chaos.setLiar(isLying ? liar : undefined)
      return isLying ? 'lying node' : 'honest node'
    }
    const roll = random.next()
    if (roll < 0.3) {
      const weather = random.pick(weathers)
      chaos.setWeather(weather)
      return weather
    }
    if (roll < 0.45) {
      await reorganise()
      return 'reorganisation'
    }
    if (roll < 0.6) {
      await jumpClock()
      return 'clock jump'
    }
    if (roll < 0.65) {
      chaos.setDown(true)
      await workers.turn()
      chaos.setDown(false)
      return 'node down'
    }
    return roll < 0.85 ? workers.arm() : workers.standStill(reorganise)
  }
}
