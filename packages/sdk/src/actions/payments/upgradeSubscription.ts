import type { Subscription } from '@agent-marketplace/contract'
import type { Core } from '../../core.ts'
import { accountOf } from '../../payments/accountOf.ts'
import { signPermission } from '../../payments/signPermission.ts'
import { subscribeOnce } from '../../payments/subscribeOnce.ts'
import { exchange } from '../../transport/exchange.ts'
import { quoteSubscription } from '../owners/account.ts'
import type { SubscribeOptions } from './subscribe.ts'

/**
 * Raises the agent quota: the difference for the rest of the period is charged at once, through a new permission. With
 * an `idempotencyKey` of your own it may be called again, as `subscribe` may.
 */
export function upgradeSubscription(
  core: Core,
  agentQuota: number,
  { payer = accountOf(core), signal, idempotencyKey }: SubscribeOptions = {},
): Promise<Subscription> {
  const wanted = { plan: 'AGENT_QUOTA', agentQuota, account: payer.address } as const
  return subscribeOnce(core, wanted, { signal, idempotencyKey }, async () => {
    const quote = await quoteSubscription(core, wanted, { signal })
    const body = await signPermission(core, payer, wanted, quote)
    const { response } = await exchange(core, 'upgradeSubscription', { body, signal })
    return response.data
  })
}
