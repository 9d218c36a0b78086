import { AppError, invalidField, type SubscribeRequest } from '@agent-marketplace/contract'
import { lockOwner } from '../../house/owner-record.ts'
import { SETTLEMENT_WAIT_MS } from '../../house/payments.ts'
import type { Conclusion, StepsToChain } from '../../house/steps.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Hex, SpendPermission } from '../../ports/chain/port.ts'
import { checkAccount, checkFunds, insufficient } from './checks.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { readBytes, readPermission, readStoredPermission, writePermission } from './permission.ts'
import {
  findPermission,
  insertPermission,
  type PermissionRow,
  readPermissionRow,
} from './permissions-store.ts'
import type { Pulls } from './pulls/pulls.ts'
import { type Period, secondsOf, timeOf } from './pulls/schedule.ts'
import { findOrderedPull, hasPendingPull } from './pulls/store.ts'
import {
  checkAligned,
  checkFields,
  checkPrice,
  firstPeriodOf,
  type Terms,
  termsOf,
  upgradeCharge,
  usedBefore,
} from './rules.ts'
import { findLive, insertSubscription, readSubscription, type SubscriptionRow } from './store.ts'

/** A signed permission that has passed every check that can be made before deciding. */
export interface Order {
  ownerId: string
  requestId: string
  isUpgrade: boolean
  terms: Terms
  permission: SpendPermission
  signature: Hex
  hash: Hex
  /** Known before this call: then it may only be the same order once more. */
  isRepeated: boolean
}

/** What a permission is charged for: a new subscription's first period, or the rest of the running one. */
interface Charge {
  subscription: SubscriptionRow | undefined
  period: Period
  amountMicro: bigint
}

export interface OrderRequest {
  ownerId: string
  requestId: string
  isUpgrade: boolean
  body: SubscribeRequest
}

/** Subscribing and upgrading: checks, then one decision under the owner's lock, then the wait for its payment. */
export function createOrders(deps: SubscriptionsDeps & { pulls: Pulls }) {
  const { db, clock, chain, newId, pulls, settlementWaitMs = SETTLEMENT_WAIT_MS } = deps
  const { facts } = chain

  const chargeOf = async (queryable: Queryable, order: Order): Promise<Charge> => {
    const { ownerId, terms, permission } = order
    const now = clock.now()
    const live = await findLive(queryable, ownerId, terms.plan)
    if (!order.isUpgrade) {
      if (live) throw new AppError('CONFLICT', { message: `You have a live ${terms.plan} subscription.` })
      return {
        subscription: undefined,
        period: firstPeriodOf(permission, now),
        amountMicro: terms.priceMicro,
      }
    }
    if (!live) throw new AppError('NOT_FOUND', { message: 'There is no subscription to upgrade.' })
    const current = await readPermissionRow(queryable, live.permissionHash)
    const { period: periodSeconds } = readStoredPermission(current.permission, chain.checksumAddress)
    const charge = upgradeCharge(live, terms, { periodSeconds, now })
    checkAligned(permission, charge.period)
    return { subscription: live, ...charge }
  }

  const isBegun = ({ permission }: Order): boolean => permission.start <= secondsOf(clock.now())

  const checkNew = async (order: Order): Promise<void> => {
    await checkAccount(chain, order, await deps.walletOf(db, order.ownerId))
    const { amountMicro } = await chargeOf(db, order)
    if (isBegun(order)) await checkFunds(chain, order, amountMicro)
  }

  const check = async ({ body, ...input }: OrderRequest): Promise<Order> => {
    const terms = termsOf(body)
    if (input.isUpgrade && terms.agentQuota === null) {
      throw invalidField('plan', 'must be AGENT_QUOTA: the other plans have nothing to raise')
    }
    checkPrice(terms, BigInt(body.permission.allowance))
    const permission = readPermission(body.permission, chain.checksumAddress)
    checkFields(permission, { now: clock.now(), spender: facts.spender, token: facts.contracts.usdc })
    const signature = readBytes('signature', body.signature)
    const hash = await chain.spendPermissions.hashOf(permission)
    const known = await findPermission(db, hash)
    const order = { ...input, terms, permission, signature, hash, isRepeated: known !== undefined }
    if (known) {
      checkSameOrder(known, order)
      return order
    }
    try {
      await checkNew(order)
    } catch (error) {
      // A twin of this very call may have been faster, and its doing may be what the checks ran into.
      const twin = await findPermission(db, hash)
      if (twin === undefined) throw error
      checkSameOrder(twin, order)
    }
    return order
  }

  /** Subscription, permission, pull and intents: all of them or nothing. */
  const place = async (tx: Transaction, order: Order): Promise<SubscriptionRow> => {
    const { ownerId, requestId, terms, permission, signature, hash } = order
    await lockOwner(tx, ownerId)
    const known = await findPermission(tx, hash)
    if (known) return attach(tx, known, order)
    const { subscription, period, amountMicro } = await chargeOf(tx, order)
    if (subscription && (await hasPendingPull(tx, subscription.id))) throw busy(subscription)
    const now = clock.now()
    const id = subscription?.id ?? newId()
    if (!subscription) {
      await insertSubscription(tx, {
        id,
        ownerId,
        plan: terms.plan,
        permissionHash: hash,
        agentQuota: terms.agentQuota,
        priceMicro: terms.priceMicro,
        nextPullAt: timeOf(period.start),
        createdAt: now,
      })
    }
    await insertPermission(tx, {
      hash,
      subscriptionId: id,
      ownerId,
      permission: writePermission(permission),
      signature,
      agentQuota: terms.agentQuota,
      priceMicro: terms.priceMicro,
      createdAt: now,
    })
    await pulls.approve(tx, { subscriptionId: id, hash, requestId, ownerId })
    if (isBegun(order)) {
      const kind = subscription ? 'UPGRADE' : 'FIRST'
      await pulls.order(tx, { subscriptionId: id, hash, kind, period, amountMicro, requestId })
    }
    return readSubscription(tx, id)
  }

  /** The same order made several times at once is one order; made again after its end it is a replay. */
  const attach = async (tx: Transaction, known: PermissionRow, order: Order): Promise<SubscriptionRow> => {
    checkSameOrder(known, order)
    const pull = await findOrderedPull(tx, order.hash)
    if (order.isRepeated && pull?.status !== 'PENDING') throw usedBefore()
    return readSubscription(tx, known.subscriptionId)
  }

  /** Waits for the payment; throws when it was refused. */
  const conclude = async ({ hash, permission }: Order): Promise<Conclusion<SubscriptionRow>> => {
    const ordered = await findOrderedPull(db, hash)
    if (ordered) await deps.intents.waitFor(ordered.intentId, settlementWaitMs)
    const pull = await findOrderedPull(db, hash)
    if (pull?.status === 'FAILED') {
      throw await insufficient(chain, permission.account, pull.amountMicro, pull.reason ?? undefined)
    }
    const { subscriptionId } = await readPermissionRow(db, hash)
    return {
      status: pull?.status === 'PENDING' ? 'PENDING' : 'SETTLED',
      read: () => readSubscription(db, subscriptionId),
    }
  }

  return (request: OrderRequest): StepsToChain<Order, SubscriptionRow, Conclusion<SubscriptionRow>> => ({
    prepare: () => check(request),
    decide: place,
    conclude,
  })
}

/** A permission belongs to one subscription of one owner, forever. */
function checkSameOrder(known: PermissionRow, { ownerId, terms }: Order): void {
  const isSame = known.ownerId === ownerId && known.agentQuota === terms.agentQuota
  if (!isSame) throw usedBefore()
}

function busy({ status }: SubscriptionRow): AppError {
  return new AppError('INVALID_STATE', {
    message: 'Another payment of this subscription is under way.',
    details: { status, allowed: ['ACTIVE'] },
  })
}
