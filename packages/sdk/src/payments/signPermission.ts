import {
  flatPlanPricesMicro,
  priceForQuota,
  type SubscribeRequest,
  type SubscriptionPlan,
  spendPermissionFields,
} from '@agent-marketplace/contract'
import { isSameAddress } from '../addresses.ts'
import type { Core } from '../core.ts'
import type { DataOf, QueryOf } from '../endpoints.ts'
import type { Signer } from '../signer.ts'
import { readConfig } from '../transport/readConfig.ts'
import { refusePayment } from './checkPayment.ts'
import { isSandbox } from './isSandbox.ts'
import { signTypedData } from './signTypedData.ts'

export type PlanChoice = Omit<QueryOf<'quoteSubscription'>, 'account'>

const DAY_SECONDS = 24 * 3600
/** Plans renew every thirty days, and their permissions stand until they are revoked. */
const PERIOD_SECONDS = 30 * DAY_SECONDS
const FOREVER = 2 ** 48 - 1

/**
 * Signs the spend permission of a quote. A permission lets the service pull money by itself, period after period; so
 * every field of it must be what the caller ordered, and none is taken on the service's word alone.
 */
export async function signPermission(
  core: Core,
  payer: Signer,
  choice: PlanChoice,
  quote: DataOf<'quoteSubscription'>,
): Promise<SubscribeRequest> {
  const { permission, typedData } = quote
  const { plan, agentQuota } = choice
  const config = await readConfig(core)
  const { chain, contracts, spender } = config
  const { domain, message } = typedData
  const nowSeconds = core.clock.nowMs() / 1000
  const start = Number(message.start)
  // An upgrade keeps the periods of the plan that runs.
  const isStartPresent =
    start >= nowSeconds - PERIOD_SECONDS - DAY_SECONDS &&
    (start <= nowSeconds + DAY_SECONDS || isSandbox(config))
  const isSame = (name: keyof typeof permission) =>
    String(message[name]).toLowerCase() === String(permission[name]).toLowerCase()
  const fieldNames = spendPermissionFields.map(({ name }) => name)
  refusePayment(
    [
      quote.plan !== plan && 'plan',
      quote.agentQuota !== (agentQuota ?? null) && 'agentQuota',
      typedData.primaryType !== 'SpendPermission' && 'primaryType',
      JSON.stringify(typedData.types.SpendPermission) !== JSON.stringify(spendPermissionFields) && 'types',
      (domain.name !== 'Spend Permission Manager' || domain.version !== '1') && 'domain',
      !isSameAddress(domain.verifyingContract, contracts.spendPermissionManager) && 'verifyingContract',
      domain.chainId !== chain.id && 'chainId',
      !isSameAddress(message.account, payer.address) && 'account',
      !isSameAddress(message.spender, spender) && 'spender',
      !isSameAddress(message.token, contracts.usdc) && 'token',
      String(message.allowance) !== priceOf(plan, agentQuota).toString() && 'allowance',
      Number(message.period) !== PERIOD_SECONDS && 'period',
      !isStartPresent && 'start',
      Number(message.end) !== FOREVER && 'end',
      !/^\d{1,78}$/.test(String(message.salt)) && 'salt',
      message.extraData !== '0x' && 'extraData',
      !fieldNames.every(isSame) && 'permission',
    ],
    { permission: message },
  )
  const signature = await signTypedData(core, payer, 'spendPermission', typedData)
  return { plan, ...(agentQuota === undefined ? {} : { agentQuota }), permission, signature }
}

function priceOf(plan: SubscriptionPlan, agentQuota: number | undefined): bigint {
  return plan === 'AGENT_QUOTA' ? priceForQuota(agentQuota ?? 0) : flatPlanPricesMicro[plan]
}
