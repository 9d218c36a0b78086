import type { Subscription } from '@agent-marketplace/contract'
import { getSubscription } from '../actions/owners/account.ts'
import type { Core } from '../core.ts'
import type { MutationOptions, QueryOf } from '../endpoints.ts'
import { isMarketplaceError } from '../errors.ts'

type Wanted = QueryOf<'quoteSubscription'> & { account: string }

/**
 * Orders a plan, or a larger quota of it. Each order signs a permission of its own, which no key makes the same as an
 * earlier one. So with a key of the caller's, which says that this may be a repetition, the plan that runs with this
 * quota and this payer is the result; there is never more than one of a plan, so nothing can be charged twice.
 */
export async function subscribeOnce<Reply>(
  core: Core,
  wanted: Wanted,
  { idempotencyKey, signal }: MutationOptions,
  order: () => Promise<Reply>,
): Promise<Reply | Subscription> {
  if (idempotencyKey === undefined) return order()
  const running = await findRunning(core, wanted, signal)
  if (running) return running
  try {
    return await order()
  } catch (error) {
    if (!isMarketplaceError(error)) throw error
    // The order may have arrived although its response did not, or a twin of it may have been faster.
    const ordered = await findRunning(core, wanted, signal).catch(() => undefined)
    if (!ordered) throw error
    return ordered
  }
}

async function findRunning(
  core: Core,
  { plan, agentQuota, account }: Wanted,
  signal: AbortSignal | undefined,
): Promise<Subscription | undefined> {
  try {
    const found = await getSubscription(core, { plan }, { signal })
    const isPaidByThem = found.subscriberAddress?.toLowerCase() === account.toLowerCase()
    const isWanted = isPaidByThem && found.agentQuota === (agentQuota ?? null) && found.status !== 'CANCELED'
    return isWanted ? found : undefined
  } catch (error) {
    if (isMarketplaceError(error, 'NOT_FOUND')) return undefined
    throw error
  }
}
