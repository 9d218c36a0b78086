import { createGuardedCall, type GuardedCallOptions } from '../../../platform/outbound/guarded-call.ts'

const TIMEOUT_MS = 10_000
/** From this status on, a gateway reports that nothing is behind it. Anything below comes from the program itself. */
const FIRST_GATEWAY_STATUS = 502

/**
 * Whether the agent is online: a plain GET, as from any browser, which no agent takes for a job. It is not signed, because a
 * program that trusts every signed call would read an empty job from it.
 */
export function createPing(options: Pick<GuardedCallOptions, 'allowsLocal' | 'resolve'>) {
  const get = createGuardedCall({
    ...options,
    timeoutMs: TIMEOUT_MS,
    userAgent: 'agent-marketplace-ping/1.0',
    readLimitBytes: () => 0,
  })
  return async ({ url }: { url: string }): Promise<boolean> => {
    const result = await get({ method: 'GET', url, headers: {} })
    return result.kind === 'response' && result.status < FIRST_GATEWAY_STATUS
  }
}
