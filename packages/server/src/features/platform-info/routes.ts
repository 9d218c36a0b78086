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
export type ChainFacts = Pick<
  PlatformConfig,
  'mode' | 'chain' | 'contracts' | 'usdc' | 'spender' | 'custody' | 'wallets'
>

/** `readFacts` is asked each time: the holders of the escrow's roles change. */
export function platformInfoRoutes(readFacts: () => Promise<ChainFacts>, clock: Clock): Route[] {
  const standing = { limits: publicLimits, fees: publicFees, plans: publicPlans }
  return [
    route(getConfig, async () => ({
      data: { ...(await readFacts()), ...standing, now: clock.now().toISOString() },
    })),
  ]
}
