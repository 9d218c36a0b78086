import type { Clock } from '../platform/clock/clock.ts'

/** It stands still until a test moves it. */
export interface TestClock extends Clock {
  advance(seconds: number): void
  set(time: Date): void
}

export function createTestClock(start = new Date('2026-11-15T12:00:00.000Z')): TestClock {
  let nowMs = start.getTime()
  return {
    now: () => new Date(nowMs),
    advance(seconds) {
      nowMs += seconds * 1000
    },
    set(time) {
      nowMs = time.getTime()
    },
  }
}
