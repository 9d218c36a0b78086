import type { Core, RetryPolicy } from '../core.ts'
import { isMarketplaceError, type MarketplaceError } from '../errors.ts'

/** A minute's rate limit is waited for, and not more. */
export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  baseDelayMs: 250,
  maxDelayMs: 8_000,
  maxRetryAfterMs: 61_000,
}

type Waiter = Pick<Core, 'retry' | 'clock' | 'random'>

/** Doubles with every failure, and is spread over half its length, so that clients which failed together return apart. */
export function backOffMs({ retry, random }: Pick<Waiter, 'retry' | 'random'>, failures: number): number {
  const longestMs = Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** (failures - 1))
  return longestMs * (0.5 + random() / 2)
}

interface Attempts {
  signal: AbortSignal | undefined
  /** Whether it may be sent again although it may have been done. */
  isRepeatable: boolean
}

/** Repeats what may succeed later, within the policy, and throws the last failure. */
export async function withRetries<Result>(
  core: Waiter,
  { signal, isRepeatable }: Attempts,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isMarketplaceError(error) || !error.retryable) throw error
      // These two say that nothing was done.
      const isUndone = error.status === 429 || error.status === 503
      if (failures >= core.retry.attempts || !(isRepeatable || isUndone)) throw error
      const askedMs = retryAfterMs(error)
      if (askedMs > core.retry.maxRetryAfterMs) throw error
      await core.clock.sleep(Math.max(askedMs, backOffMs(core, failures)), signal)
    }
  }
}

function retryAfterMs({ details }: MarketplaceError): number {
  const { retryAfterSeconds } = details as { retryAfterSeconds?: unknown }
  return typeof retryAfterSeconds === 'number' ? retryAfterSeconds * 1000 : 0
}
