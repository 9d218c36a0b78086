import type { SpendPermission } from '../../../ports/chain/port.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/** After a pull has failed it is tried again so long after the first failure. */
export const RETRY_DELAYS_SECONDS = [HOUR, DAY, 3 * DAY, 5 * DAY]
/** So long after the first failure an unpaid subscription ends. */
export const GIVE_UP_SECONDS = 7 * DAY

/** In Unix seconds, `end` excluded. */
export interface Period {
  start: number
  end: number
}

type Grid = Pick<SpendPermission, 'start' | 'end' | 'period'>

export const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000)
export const timeOf = (seconds: number): Date => new Date(seconds * 1000)

/** Periods stand on a fixed grid from the permission's start, as the chain counts them: a late pull moves nothing. */
export function periodAt({ start, period }: Grid, atSeconds: number): Period {
  if (atSeconds < start) throw new RangeError('the permission has not begun')
  const periodStart = atSeconds - ((atSeconds - start) % period)
  return { start: periodStart, end: periodStart + period }
}

/** Whether the permission lasts for all of it: a period that it cuts short is not sold. */
export const isWhole = ({ end }: Grid, period: Period): boolean => period.end <= end

/** When the pull after this period may run; nothing when the permission does not last for it. */
export function nextPullAfter(grid: Grid, paidUntilSeconds: number): Date | null {
  const next = { start: paidUntilSeconds, end: paidUntilSeconds + grid.period }
  return isWhole(grid, next) ? timeOf(paidUntilSeconds) : null
}

/** The next retry; none after the last. Retries that were missed are not made up for. */
export function nextRetry(pastDueSince: Date, now: Date): Date | null {
  for (const delaySeconds of RETRY_DELAYS_SECONDS) {
    const retryAt = new Date(pastDueSince.getTime() + delaySeconds * 1000)
    if (retryAt > now) return retryAt
  }
  return null
}

export type CancelReason = 'ASKED' | 'EXPIRED' | 'UNPAID' | 'REVOKED'

export type RenewalStep =
  | { step: 'pull'; period: Period }
  | { step: 'cancel'; reason: CancelReason }
  | { step: 'wait' }

/** What a live subscription without a pull under way needs at this moment. */
export function renewalStep(
  subscription: { nextPullAt: Date | null; currentPeriodEnd: Date | null; pastDueSince: Date | null },
  grid: Grid,
  now: Date,
): RenewalStep {
  const { nextPullAt, currentPeriodEnd, pastDueSince } = subscription
  if (pastDueSince && now.getTime() >= pastDueSince.getTime() + GIVE_UP_SECONDS * 1000) {
    return { step: 'cancel', reason: 'UNPAID' }
  }
  const nowSeconds = secondsOf(now)
  if (nextPullAt !== null && nextPullAt <= now && nowSeconds >= grid.start) {
    const period = periodAt(grid, nowSeconds)
    return isWhole(grid, period) ? { step: 'pull', period } : { step: 'cancel', reason: 'EXPIRED' }
  }
  const isOver = nextPullAt === null && pastDueSince === null && currentPeriodEnd !== null
  if (isOver && currentPeriodEnd <= now) return { step: 'cancel', reason: 'EXPIRED' }
  return { step: 'wait' }
}
