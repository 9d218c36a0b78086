import { AppError } from '@agent-marketplace/contract'

export const ORDER_WINDOW_SECONDS = 60

export interface OrderLimit {
  isTest: boolean
  perMinute: number
}

/** A test is for a person who looks at its result; redeliveries may come in a row after an outage. */
export const TESTS: OrderLimit = { isTest: true, perMinute: 10 }
export const REDELIVERIES: OrderLimit = { isTest: false, perMinute: 60 }

export function checkOrderLimit(
  { count, oldest }: { count: number; oldest: Date | null },
  { isTest, perMinute }: OrderLimit,
  now: Date,
): void {
  if (count < perMinute) return
  const ageSeconds = oldest === null ? 0 : (now.getTime() - oldest.getTime()) / 1000
  throw new AppError('RATE_LIMIT_EXCEEDED', {
    message: `An account sends at most ${perMinute} ${isTest ? 'test events' : 'redeliveries'} a minute.`,
    details: {
      limit: perMinute,
      retryAfterSeconds: Math.max(1, Math.ceil(ORDER_WINDOW_SECONDS - ageSeconds)),
    },
  })
}
