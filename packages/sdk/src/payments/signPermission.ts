import {
  flatPlanPricesMicro,
  priceForQuota,
  type SubscribeRequest,
  type SubscriptionPlan,
} from '@agent-marketplace/contract'
import { readConfig } from '../actions/getConfig.ts'
import type { Core } from '../core.ts'
import type { DataOf } from '../endpoints.ts'
import type { Signer } from '../signer.ts'
import { checkPayment } from './checkPayment.ts'
import { signTypedData } from './signTypedData.ts'

/** Signs the spend permission of a quote, when it allows no more than the plan's published price. */
export async function signPermission(
  core: Core,
  payer: Signer,
  quote: DataOf<'quoteSubscription'>,
): Promise<SubscribeRequest> {
  const { plan, agentQuota, permission, typedData } = quote
  const { chain, contracts, spender } = await readConfig(core)
  checkPayment(
    {
      amountMicro: BigInt(String(typedData.message.allowance)),
      payTo: String(typedData.message.spender),
      token: String(typedData.message.token),
      chainId: typedData.domain.chainId,
    },
    { amountMicro: priceOf(plan, agentQuota), payTo: spender },
    { token: contracts.usdc, chainId: chain.id },
  )
  const signature = await signTypedData(payer, typedData)
  return { plan, ...(agentQuota === null ? {} : { agentQuota }), permission, signature }
}

function priceOf(plan: SubscriptionPlan, agentQuota: number | null): bigint {
  return plan === 'AGENT_QUOTA' ? priceForQuota(agentQuota ?? 0) : flatPlanPricesMicro[plan]
}
