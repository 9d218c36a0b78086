import { randomBytes } from 'node:crypto'
import { AppError, type SubscriptionPlan } from '@agent-marketplace/contract'
import type { SpendPermission, SpendPermissionCalls } from '../../ports/chain/port.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { readStoredPermission } from './permission.ts'
import { findPayingAccount, readPermissionRow } from './permissions-store.ts'
import { secondsOf } from './pulls/schedule.ts'
import { type Terms, termsOf, upgradeCharge } from './rules.ts'
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
  payer: Payer
}

/** Whether the account can be pulled from as it stands, and what to do when it cannot. */
export interface Payer {
  isReady: boolean
  advice: string | null
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
    const current = await readPermissionRow(db, live.permissionHash)
    const { period: periodSeconds } = readStoredPermission(current.permission, checksumAddress)
    const { period, amountMicro } = upgradeCharge(live, terms, { periodSeconds, now })
    return { isUpgrade: true, chargeNowMicro: amountMicro, start: period.start, period: periodSeconds }
  }

  const payerOf = async (permission: SpendPermission): Promise<Payer> => {
    const { account } = permission
    const manager = facts.contracts.spendPermissionManager
    const kind = await spendPermissions.accountKindOf({ account, signature: '0x' })
    if (kind === 'keyOnly') {
      return {
        isReady: false,
        advice:
          `There is no contract at ${account}. A plain wallet cannot be pulled from: make a smart wallet with your wallet and the ` +
          `SpendPermissionManager ${manager} among its owners, send USDC there, and ask for this quote with its address as account. ` +
          'A smart wallet that is not deployed yet can sign as it is: its ERC-6492 signature deploys it.',
      }
    }
    if (await spendPermissions.hasOwner({ permission, signature: '0x', owner: manager })) {
      return { isReady: true, advice: null }
    }
    return {
      isReady: false,
      advice: `Add the SpendPermissionManager ${manager} to the owners of ${account}: without it nothing can be pulled.`,
    }
  }

  return async ({ ownerId, plan, agentQuota, account }: QuoteRequest): Promise<Quote> => {
    const terms = termsOf({ plan, agentQuota })
    const { isUpgrade, chargeNowMicro, start, period } = await scheduleOf(ownerId, terms)
    const payer = account ?? (await findPayingAccount(db, ownerId)) ?? (await walletOf(db, ownerId))
    const permission: SpendPermission = {
      account: checksumAddress(payer),
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
      payer: await payerOf(permission),
    }
  }
}
