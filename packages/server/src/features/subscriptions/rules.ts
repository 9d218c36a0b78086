import {
  AppError,
  flatPlanPricesMicro,
  formatMicro,
  invalidField,
  priceForQuota,
  proratedUpgradeMicro,
  type SubscriptionPlan,
} from '@agent-marketplace/contract'
import type { SpendPermission } from '../../ports/chain/port.ts'
import { isWhole, type Period, periodAt, secondsOf } from './pulls/schedule.ts'

const DAY_SECONDS = 24 * 3600
const MAX_SECONDS_AHEAD = 31 * DAY_SECONDS
/** A charge for the rest of a period needs time to arrive within it: later it would eat into the next one's allowance. */
const UPGRADE_MARGIN_SECONDS = 600

/** What is bought, and for how much per period. */
export interface Terms {
  plan: SubscriptionPlan
  /** Null for the plans that have one price. */
  agentQuota: number | null
  priceMicro: bigint
}

export function termsOf({
  plan,
  agentQuota,
}: {
  plan: SubscriptionPlan
  agentQuota?: number | undefined
}): Terms {
  if (plan !== 'AGENT_QUOTA') return { plan, agentQuota: null, priceMicro: flatPlanPricesMicro[plan] }
  if (agentQuota === undefined) throw invalidField('agentQuota', 'is required for AGENT_QUOTA')
  return { plan, agentQuota, priceMicro: priceForQuota(agentQuota) }
}

export function checkPrice({ priceMicro }: Terms, allowanceMicro: bigint): void {
  if (allowanceMicro === priceMicro) return
  throw new AppError('PRICE_MISMATCH', {
    details: { expected: formatMicro(priceMicro), given: formatMicro(allowanceMicro) },
  })
}

/** The fields that can be judged without asking the chain, one by one in the documented order. */
export function checkFields(
  permission: SpendPermission,
  { now, spender, token }: { now: Date; spender: string; token: string },
): void {
  const nowSeconds = secondsOf(now)
  if (!isSameAddress(permission.spender, spender)) {
    throw invalidField('permission.spender', `must be ${spender}, the service’s own`)
  }
  if (!isSameAddress(permission.token, token)) {
    throw invalidField('permission.token', `must be ${token}, the USDC contract`)
  }
  if (permission.end <= nowSeconds) throw invalidField('permission.end', 'must lie in the future')
  if (permission.start > nowSeconds + MAX_SECONDS_AHEAD) {
    throw invalidField('permission.start', 'must be at most 31 days ahead')
  }
  if (permission.period < DAY_SECONDS || permission.period > MAX_SECONDS_AHEAD) {
    throw invalidField('permission.period', 'must be 1 to 31 days, in seconds')
  }
  if (!isWhole(permission, firstPeriodOf(permission, now))) {
    throw invalidField('permission.end', 'must leave room for the whole first period')
  }
}

export function firstPeriodOf(permission: SpendPermission, now: Date): Period {
  return periodAt(permission, Math.max(permission.start, secondsOf(now)))
}

export interface Upgradeable {
  status: string
  agentQuota: number | null
  priceMicro: bigint
  currentPeriodEnd: Date | null
}

/** What the upgrade costs now, and the running period that it is for. */
export function upgradeCharge(
  current: Upgradeable,
  terms: Terms,
  { periodSeconds, now }: { periodSeconds: number; now: Date },
): { period: Period; amountMicro: bigint } {
  checkHigherQuota(current, terms)
  const end = current.currentPeriodEnd === null ? 0 : secondsOf(current.currentPeriodEnd)
  const remainingSeconds = end - secondsOf(now)
  if (current.status !== 'ACTIVE' || remainingSeconds < UPGRADE_MARGIN_SECONDS) {
    throw new AppError('INVALID_STATE', {
      message: 'An upgrade needs a paid period with at least ten minutes left.',
      details: { status: current.status, allowed: ['ACTIVE'] },
    })
  }
  const amountMicro = proratedUpgradeMicro({
    oldPriceMicro: current.priceMicro,
    newPriceMicro: terms.priceMicro,
    remainingSeconds: BigInt(remainingSeconds),
    periodSeconds: BigInt(periodSeconds),
  })
  return { period: { start: end - periodSeconds, end }, amountMicro }
}

function checkHigherQuota(current: Upgradeable, { agentQuota }: Terms): void {
  if (agentQuota !== null && current.agentQuota !== null && agentQuota > current.agentQuota) return
  throw invalidField('agentQuota', `must be higher than ${current.agentQuota ?? 0}: there is no downgrade`)
}

/** The new permission's periods must stand on the old ones, so that the full price is free to pull at the old boundary. */
export function checkAligned(permission: SpendPermission, period: Period): void {
  if (permission.start !== period.start) {
    throw invalidField('permission.start', `must be ${period.start}, the start of the running period`)
  }
  if (permission.period !== period.end - period.start) {
    throw invalidField('permission.period', `must be ${period.end - period.start}, as before`)
  }
}

export const usedBefore = (): AppError =>
  invalidField('permission', 'was used before: sign a new one with another salt')

export type PullFailure = 'revoked' | 'expired' | 'unpaid'

/** What the chain's refusal of a pull means for the pulls to come. */
export function failureOf(reason: string): PullFailure {
  if (reason === 'UnauthorizedSpendPermission') return 'revoked'
  return reason === 'AfterSpendPermissionEnd' ? 'expired' : 'unpaid'
}

export const isSameAddress = (left: string, right: string): boolean =>
  left.toLowerCase() === right.toLowerCase()
