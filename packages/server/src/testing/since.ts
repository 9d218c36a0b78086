import { expect } from 'vitest'
import type { Clock } from '../platform/clock/clock.ts'

/** Matches a time from now on until it is compared, `plusMs` later: the chain's time passes while a test runs. */
export function sinceNow(clock: Clock, plusMs = 0): unknown {
  const from = clock.now().getTime()
  return expect.toSatisfy((value: string) => {
    const time = Date.parse(value) - plusMs
    return from <= time && time <= clock.now().getTime()
  })
}
