import { FREE_TIER_AGENTS, type OwnAgent, quotaTiers } from '@agent-marketplace/contract'
import { usdcText } from './money.ts'

/** How many agents may run now; null stands for the free tier. */
export function quotaOf(subscription: { effectiveQuota: number | null } | null | undefined): number {
  return subscription?.effectiveQuota ?? FREE_TIER_AGENTS
}

/** Paused agents need no room. */
export function runningCount(agents: readonly Pick<OwnAgent, 'paused'>[]): number {
  return agents.filter(({ paused }) => !paused).length
}

/** What the next agent beyond the quota costs, and from where on one costs less. */
export function nextTierWords(quota: number, isFreeTier: boolean): string {
  const priced = isFreeTier ? 0 : quota
  const index = quotaTiers.findIndex(({ upToAgents }) => priced < upToAgents)
  const [tier, cheaper] = [quotaTiers[index], quotaTiers[index + 1]]
  if (!tier) return 'You have the largest quota there is.'
  const price = `${usdcText(tier.pricePerAgentMicro)} USDC a month`
  const first = isFreeTier ? `A bought quota costs ${price} for each agent` : `The next agent costs ${price}`
  if (!cheaper) return `${first}.`
  return `${first}; from the ${ordinal(tier.upToAgents + 1)} on, ${usdcText(cheaper.pricePerAgentMicro)}.`
}

function ordinal(count: number): string {
  const ending =
    count % 100 >= 11 && count % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th')
  return `${count}${ending}`
}
