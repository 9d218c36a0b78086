/**
 * Time is an argument. Two clocks run through the service: the wall clock (sessions, nonces, rate limits, logs) and the
 * business clock (deadlines, review windows, subscriptions), which in the sandbox can be moved forward.
 */
export interface Clock {
  now(): Date
}

export const wallClock: Clock = { now: () => new Date() }

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

export function addSeconds(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}
