import { addSeconds } from '../../../platform/clock/clock.ts'
import type { WebhookRow } from '../store.ts'
import type { SendResult } from './send-message.ts'

/** So many messages in a row may get no response before the receiver is left alone. */
export const MAX_FAILURES_IN_ROW = 5
const FIRST_PAUSE_SECONDS = 60
const LONGEST_PAUSE_SECONDS = 600

type BreakerState = Pick<WebhookRow, 'failuresInRow' | 'pausedUntil'>

export function isPaused({ pausedUntil: until }: BreakerState, now: Date): boolean {
  return until !== null && until > now
}

/** What the log says of an attempt that was spared: it counts, so that the three days of trying end as ever. */
export function pausedResult({ failuresInRow: count, pausedUntil: until }: BreakerState): SendResult {
  const pause = `nothing is sent there until ${until?.toISOString()}`
  return { kind: 'failure', why: `Not sent: the last ${count} messages got no response, so ${pause}.` }
}

/**
 * A receiver that takes every message and never responds would hold a lane for the whole time limit, each time. Any
 * response, also a refusal, closes the breaker. Undefined when nothing changes, which is the rule.
 */
export function breakerAfter(
  { failuresInRow: before, pausedUntil: until }: BreakerState,
  result: SendResult,
  now: Date,
): { failuresInRow: number; pausedUntil: Date | null } | undefined {
  if (result.kind === 'response') {
    return before === 0 && until === null ? undefined : { failuresInRow: 0, pausedUntil: null }
  }
  const failuresInRow = before + 1
  const beyond = failuresInRow - MAX_FAILURES_IN_ROW
  if (beyond < 0) return { failuresInRow, pausedUntil: null }
  const seconds = Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(beyond, 10), LONGEST_PAUSE_SECONDS)
  return { failuresInRow, pausedUntil: addSeconds(now, seconds) }
}
