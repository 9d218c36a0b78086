import type { MoneyEngine } from '../../engine.ts'
import { type FaultPoint, faultPoints } from '../../faults.ts'
import { expireLeases } from '../closed-world.ts'
import type { MoneyWorld } from '../money-world-on.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { findFalseRejections, type Stranger } from '../stranger.ts'
import { withoutProofs } from '../without-proofs.ts'
import type { Protection } from './protections.ts'

/** The fork depth that the engines allow: deeper than any in the simulation, and small enough that wallets bring a past. */
const LEAST_REORG_DEPTH = 12
const BEYOND_FORKS = 4

/** A worker can be paused where it holds no database transaction; where it does, only a crash makes sense. */
const pausePoints = faultPoints.filter((point) => !point.endsWith('.storing'))

class Crash extends Error {
  override readonly name = 'Crash'
}

export interface WorkersOptions {
  world: MoneyWorld
  random: SeededRandom
  lies: boolean
  forkDepth: number
  without: Protection | undefined
  /** What overlaps depends on the machine; batches that go out in turn can be repeated step by step. */
  overlapsBatches: boolean
  stranger: Stranger
  count: (what: string) => void
}

/** The worker that drives the money, which may crash, or stand still while another one takes over. */
export function createWorkers(options: WorkersOptions) {
  const { world, random, lies, forkDepth, without, overlapsBatches, stranger, count } = options
  let armed: FaultPoint | undefined
  let pause: { point: FaultPoint; during: () => Promise<void> } | undefined
  const wronged: Record<string, unknown>[] = []

  const faults = {
    async reach(point: FaultPoint) {
      if (pause?.point === point) {
        const { during } = pause
        pause = undefined
        await during()
      }
      if (armed !== point) return
      armed = undefined
      count(`crash at ${point}`)
      throw new Crash(point)
    },
  }
  const newEngine = (): MoneyEngine =>
    world.startEngine({
      faults,
      ...(without === 'proofs' ? { chain: withoutProofs(world.chaos.chain) } : {}),
      settings: {
        replaceAfterSeconds: random.chance(0.3) ? 0 : 3_600,
        overlapsBatches,
        batchSize: 1 + random.below(6),
        maxReorgDepth: Math.max(LEAST_REORG_DEPTH, forkDepth + BEYOND_FORKS),
        agreeingResponses: lies && without !== 'confirmations' ? 3 : 1,
      },
    })
  let engine = newEngine()

  return {
    engine: () => engine,

    /** What was rejected although the chain would have taken it. */
    wronged,

    /** One round; a crash throws the worker away, everything else that fails is the weather. */
    async turn(): Promise<void> {
      const headBefore = lies ? await stranger.head() : undefined
      // Pauses are in real time, and a run must not depend on that: whatever was put off is due.
      if (lies) await expireLeases(world)
      try {
        await engine.runOnce()
      } catch (error) {
        if (error instanceof Crash) engine = newEngine()
        else if (!lies && !isWeather(error)) throw error
      }
      if (headBefore) wronged.push(...(await findFalseRejections(world, headBefore)))
    },

    /** The next time that the worker gets to some point, it dies there. */
    arm(): string {
      armed = random.pick(faultPoints)
      return `armed ${armed}`
    },

    /** While the worker stands still its lease runs out, the chain may go another way, and another worker takes over. */
    standStill(reorganise: () => Promise<void>): string {
      const second = newEngine()
      const isForking = random.chance(0.5)
      const during = async (): Promise<void> => {
        await expireLeases(world)
        if (isForking) await reorganise()
        for (let round = 0; round < 3; round += 1) {
          await second.runOnce().catch((error: unknown) => {
            if (!lies && !(error instanceof Crash) && !isWeather(error)) throw error
          })
        }
      }
      pause = { point: random.pick(pausePoints), during }
      return `paused at ${pause.point}`
    },

    /** A new worker, that nothing happens to any more. */
    heal(): MoneyEngine {
      armed = undefined
      pause = undefined
      engine = newEngine()
      return engine
    },
  }
}

export type Workers = ReturnType<typeof createWorkers>

/** The node did not respond, or reported that it could not be reached; never a wrong result. */
const isWeather = (error: unknown): boolean =>
  /node is down|never arrived/.test(
    String(error instanceof Error ? `${error.message} ${error.cause}` : error),
  )
