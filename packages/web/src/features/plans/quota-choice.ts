import { FREE_TIER_AGENTS, MAX_AGENT_QUOTA, type Subscription } from '@agent-marketplace/contract'

type Plan = Pick<Subscription, 'status' | 'agentQuota'>

/** The plan that pays for agents now. */
export const livePlan = <Known extends Plan>(plan: Known | null | undefined): Known | undefined =>
  plan && plan.status !== 'CANCELED' ? plan : undefined

/** The smallest quota that can be bought on top of what there is. */
export const leastQuota = (plan: Plan | null | undefined): number =>
  (livePlan(plan)?.agentQuota ?? FREE_TIER_AGENTS) + 1

/** What is offered before anybody has chosen. */
export const firstQuota = (least: number): number => Math.max(least, 10)

/** Undefined while what was typed is no quota that can be bought. */
export function readQuota(typed: string, least: number): number | undefined {
  const quota = Number(typed)
  return /^\d{1,5}$/.test(typed) && quota >= least && quota <= MAX_AGENT_QUOTA ? quota : undefined
}
