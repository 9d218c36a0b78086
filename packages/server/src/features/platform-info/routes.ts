import {
  getConfig,
  type PlatformConfig,
  publicFees,
  publicLimits,
  publicPlans,
} from '@agent-marketplace/contract'
import type { Clock } from '../../platform/clock/clock.ts'
import { type Route, route } from '../../platform/http/call.ts'

/** What only the running service knows; the terms come from the contract itself. */
export type ChainFacts = Pick<PlatformConfig, 'mode' | 'chain' | 'contracts' | 'usdc' | 'spender' | 'custody'>

export function platformInfoRoutes(facts: ChainFacts, clock: Clock): Route[] {
  const standing = { ...facts, limits: publicLimits, fees: publicFees, plans: publicPlans }
  return [route(getConfig, async () => ({ data: { ...standing, now: clock.now().toISOString() } }))]
}
