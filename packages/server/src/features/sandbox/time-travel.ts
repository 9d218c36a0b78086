import { addSeconds } from '../../platform/clock/clock.ts'
import type { SandboxChain } from '../../ports/chain/port.ts'

/** Something that waits for a time. */
export interface Timer {
  /** The tick that does what is due. */
  tick: string
  /** The first due time after this one; undefined when there is none. */
  nextDueAt: (after: Date) => Promise<Date | undefined>
}

export interface TimeTravelDeps {
  chain: Pick<SandboxChain, 'advanceTime' | 'now'>
  timers: readonly Timer[]
  /** Ends all that is under way: sent, mined and in the books. Throws when it cannot be ended. */
  finishWork: () => Promise<void>
  runTicks: (names: readonly string[]) => Promise<void>
  /** Every tick, and all work in the queue that is due. */
  runAll: () => Promise<void>
}

/** After so many stops the rest of the way is covered in long strides, so that a crowded sandbox ends its journey, too. */
const EXACT_STOPS = 400
const STRIDES = 50

/**
 * Moves time without skipping anything. What is under way ends before the clock moves, or it would begin after the jump.
 * The clock then stops at each due time in between, so that things happen at their own times and in their order. One
 * traveller moves it at a time.
 */
export function createTimeTravel({ chain, timers, finishWork, runTicks, runAll }: TimeTravelDeps) {
  let last: Promise<unknown> = Promise.resolve()

  async function findStop(): Promise<{ at: Date; ticks: string[] } | undefined> {
    const now = chain.now()
    const found = await Promise.all(
      timers.map(async ({ tick, nextDueAt }) => ({ tick, at: await nextDueAt(now) })),
    )
    const times = found.flatMap(({ at }) => (at === undefined ? [] : [at.getTime()]))
    if (times.length === 0) return undefined
    const at = new Date(Math.min(...times))
    // What is due in the same second shares the stop.
    const until = addSeconds(at, 1)
    const ticks = found.filter((one) => one.at !== undefined && one.at < until).map(({ tick }) => tick)
    return { at, ticks }
  }

  async function travel(seconds: number): Promise<void> {
    await finishWork()
    let leftSeconds = seconds
    for (let stops = 0; ; stops += 1) {
      const stop = await findStop()
      if (stop === undefined) break
      const untilDue = Math.max(1, Math.ceil((stop.at.getTime() - chain.now().getTime()) / 1000))
      const isExact = stops < EXACT_STOPS
      const step = isExact ? untilDue : Math.max(untilDue, Math.ceil(seconds / STRIDES))
      if (step > leftSeconds) break
      await chain.advanceTime(step)
      leftSeconds -= step
      await runTicks(isExact ? stop.ticks : timers.map(({ tick }) => tick))
      await finishWork()
    }
    if (leftSeconds > 0) await chain.advanceTime(leftSeconds)
    await runAll()
    await finishWork()
  }

  return (seconds: number): Promise<void> => {
    const mine = last.then(() => travel(seconds))
    last = mine.catch(() => undefined)
    return mine
  }
}
