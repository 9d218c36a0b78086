import { randomBytes } from 'node:crypto'
import { AppError, type SubscriptionPlan } from '@agent-marketplace/contract'
import type { SpendPermission, SpendPermissionCalls } from '../../ports/chain/port.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { readStoredPermission } from './permission.ts'
import { readPermissionRow } from './permissions-store.ts'
import { type Terms, termsOf, upgradeCharge } from './rules.ts'
import { secondsOf } from './schedule.ts'
import { findLive } from './store.ts'

const DEFAULT_PERIOD_SECONDS = 30 * 24 * 3600
/** Until it is revoked. */
const FOREVER = 2 ** 48 - 1

export interface QuoteRequest {
  ownerId: string
  plan: SubscriptionPlan
  agentQuota: number | undefined
  account: string | undefined
}

export interface Quote {
  terms: Terms
  isUpgrade: boolean
  chargeNowMicro: bigint
  permission: SpendPermission
  typedData: ReturnType<SpendPermissionCalls['typedDataOf']>
}

/** A permission ready to sign, which subscribe or upgrade will take as it is. */
export function createQuote({
  db,
  clock,
  chain,
  walletOf,
}: Pick<SubscriptionsDeps, 'db' | 'clock' | 'chain' | 'walletOf'>) {
  const { facts, checksumAddress, spendPermissions } = chain

  const scheduleOf = async (ownerId: string, terms: Terms) => {
    const now = clock.now()
    const live = await findLive(db, ownerId, terms.plan)
    if (!live) {
      const grid = { start: secondsOf(now), period: DEFAULT_PERIOD_SECONDS }
      return { isUpgrade: false, chargeNowMicro: terms.priceMicro, ...grid }
    }
    if (terms.plan !== 'AGENT_QUOTA') {
      throw new AppError('CONFLICT', { message: `You have a live ${terms.plan} subscription.` })
    }
    const current = await readPermissionRow(db, live.permission_hash)
    const { period: periodSeconds } = readStoredPermission(current.permission, checksumAddress)
    const { period, amountMicro } = upgradeCharge(live, terms, { periodSeconds, now })
    return { isUpgrade: true, chargeNowMicro: amountMicro, start: period.start, period: periodSeconds }
  }

  return async ({ ownerId, plan, agentQuota, account }: QuoteRequest): Promise<Quote> => {
    const terms = termsOf({ plan, agentQuota })
    const { isUpgrade, chargeNowMicro, start, period } = await scheduleOf(ownerId, terms)
    const permission: SpendPermission = {
      account: checksumAddress(account ?? (await walletOf(db, ownerId))),
      spender: checksumAddress(facts.spender),
      token: checksumAddress(facts.contracts.usdc),
      allowance: terms.priceMicro,
      period,
      start,
      end: FOREVER,
      salt: BigInt(`0x${randomBytes(16).toString('hex')}`),
      extraData: '0x',
    }
    return {
      terms,
      isUpgrade,
      chargeNowMicro,
      permission,
      typedData: spendPermissions.typedDataOf(permission),
    }
  }
}
