/**
 * Time is an argument. Two clocks run through the service: the wall clock (sessions, nonces, rate limits, logs) and the
 * business clock (deadlines, review windows, subscriptions), which in the sandbox can be moved forward.
 */
export interface Clock {
  now(): Date
}

export const wallClock: Clock = { now: () => new Date() }

export function addSeconds(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}

/** Undefined where no days are given: there is no such time. */
export function daysBefore(time: Date, days: number | undefined): Date | undefined {
  return days === undefined ? undefined : addSeconds(time, -days * 24 * 3600)
}
