import type { Core } from '../../core.ts'
import type { DataOf, MutationOptions } from '../../endpoints.ts'
import { accountOf } from '../../payments/accountOf.ts'
import { type PlanChoice, signPermission } from '../../payments/signPermission.ts'
import { subscribeOnce } from '../../payments/subscribeOnce.ts'
import type { Signer } from '../../signer.ts'
import { exchange } from '../../transport/exchange.ts'
import { quoteSubscription } from '../owners/account.ts'

export interface SubscribeOptions extends MutationOptions {
  /** The smart account that pays, when it is not the client's own account: only smart accounts can be pulled from. */
  payer?: Signer | undefined
}

/**
 * Subscribes to a plan: asks for a quote, signs its spend permission and sends it. The first period is charged at once.
 * With an `idempotencyKey` of your own it may be called again, even after a crash: the same plan, quota and payer are
 * then the running subscription is returned, without another signature.
 *
 * @example
 * await marketplace.subscribe({ plan: 'AGENT_QUOTA', agentQuota: 10 }, { payer: smartAccount })
 */
export async function subscribe(
  core: Core,
  choice: PlanChoice,
  { payer = accountOf(core), signal, idempotencyKey }: SubscribeOptions = {},
): Promise<DataOf<'subscribe'>> {
  const wanted = { ...choice, account: payer.address }
  const subscribed = await subscribeOnce(core, wanted, { signal, idempotencyKey }, async () => {
    const quote = await quoteSubscription(core, wanted, { signal })
    const body = await signPermission(core, payer, wanted, quote)
    const { response } = await exchange(core, 'subscribe', { body, signal })
    return response.data
  })
  const { id, plan, status, paymentRail, nextEligibleAt } = subscribed
  return { id, plan, status, paymentRail, nextEligibleAt }
}
