import { type Static, Type } from 'typebox'
import { type ChainEventHandler, onChain } from '../../../house/feature.ts'
import { createAccountOf, spenderAccount } from '../../../money/books/accounts.ts'
import { placeOf, postEntry } from '../../../money/books/journal.ts'
import { type IntentKind, IntentRejected, type Settlement } from '../../../money/intents/intents.ts'
import type { ChainEventOf, SpendPermission } from '../../../ports/chain/port.ts'
import type { SubscriptionsDeps } from '../deps.ts'
import type { Lifecycle } from '../lifecycle.ts'
import { readStoredPermission } from '../permission.ts'
import { findPermission, readPermissionRow, saveRevoked } from '../permissions-store.ts'
import { isSameAddress } from '../rules.ts'
import { readSubscription, type SubscriptionRow } from '../store.ts'
import { type PullRow, readPull } from './store.ts'

const PermissionPayload = Type.Object({ hash: Type.String() })
type PermissionPayload = Static<typeof PermissionPayload>

const PullPayload = Type.Object({
  pullId: Type.String(),
  amountMicro: Type.String({ pattern: '^[1-9][0-9]*$' }),
})
export type PullPayload = Static<typeof PullPayload>

/** Enough to deploy a smart wallet; a hostile factory named inside a signature burns no more than this. */
export const APPROVAL_GAS_LIMIT = 3_000_000n
export const PULL_GAS_LIMIT = 400_000n

type KindsDeps = Pick<SubscriptionsDeps, 'db' | 'chain'> & { lifecycle: Lifecycle }

/** How approvals, pulls and revocations go to the chain, and how what came of them is taken in. */
export function subscriptionKinds({ db, chain, lifecycle }: KindsDeps): IntentKind[] {
  const calls = chain.spendPermissions
  const accountOf = createAccountOf(chain.facts)

  const load = async (hash: string) => {
    const row = await readPermissionRow(db, hash)
    return { ...row, permission: readStoredPermission(row.permission, chain.checksumAddress) }
  }

  // Its outcome matters to nobody: without it the pull behind it in the lane is refused.
  const approve: IntentKind<PermissionPayload> = {
    kind: 'subscription.approve',
    payload: PermissionPayload,
    sender: 'spender',
    gasLimit: APPROVAL_GAS_LIMIT,
    async prepare({ hash }) {
      const { permission, signature } = await load(hash)
      return calls.approveWithSignature({ permission, signature })
    },
  }

  const revoke: IntentKind<PermissionPayload> = {
    kind: 'subscription.revoke',
    payload: PermissionPayload,
    sender: 'spender',
    async prepare({ hash }) {
      const { permission, revokedAt, subscriptionId } = await load(hash)
      if (isStoodOn(await readSubscription(db, subscriptionId), hash)) throw new IntentRejected('IN_USE')
      if (revokedAt !== null || (await calls.isRevoked(permission)))
        throw new IntentRejected('ALREADY_REVOKED')
      return calls.revokeAsSpender(permission)
    },
  }

  /** Clocks differ by seconds: the chain must have come to the period, and an upgrade must still be in it. */
  const checkPeriod = async (pull: PullRow, permission: SpendPermission): Promise<void> => {
    const period = await calls.currentPeriodOf(permission)
    const hasBegun = 'refusal' in period ? period.refusal !== 'BeforeSpendPermissionStart' : true
    if (!hasBegun || ('start' in period && BigInt(period.start) < pull.periodStart)) {
      throw new Error(`the chain has not come to the period of pull ${pull.id} yet`)
    }
    if (pull.kind === 'UPGRADE' && 'start' in period && BigInt(period.start) > pull.periodStart) {
      throw new IntentRejected('PERIOD_OVER')
    }
  }

  const pull: IntentKind<PullPayload> = {
    kind: 'subscription.pull',
    payload: PullPayload,
    sender: 'spender',
    gasLimit: PULL_GAS_LIMIT,
    amountMicro: ({ amountMicro }) => BigInt(amountMicro),

    async prepare({ pullId, amountMicro }) {
      const pull = await readPull(db, pullId)
      const { status } = await readSubscription(db, pull.subscriptionId)
      if (status === 'CANCELED' || pull.status === 'FAILED') throw new IntentRejected('CANCELED')
      const { permission } = await load(pull.permissionHash)
      await checkPeriod(pull, permission)
      return calls.spend({ permission, amountMicro: BigInt(amountMicro) })
    },

    async onSettled(tx, intent, { pullId }, settlement) {
      const { permissionHash } = await readPull(tx, pullId)
      const { used, transfer } = pullIn(settlement, permissionHash)
      const { periodStart, periodEnd } = used
      const pull = await lifecycle.recordPaid(tx, pullId, {
        periodStart,
        periodEnd,
        at: settlement.blockTime,
      })
      await postEntry(tx, {
        kind: 'subscription.pull',
        at: settlement.blockTime,
        postings: [
          { account: accountOf(used.account), amountMicro: -used.amountMicro },
          { account: spenderAccount(), amountMicro: used.amountMicro },
        ],
        intentId: intent.id,
        requestId: intent.requestId ?? undefined,
        chain: placeOf(settlement, transfer),
        reference: { ownerId: pull.ownerId, subscriptionId: pull.subscriptionId },
      })
    },
    onRejected: (tx, intent, { pullId }, reason) => lifecycle.fail(tx, pullId, intent.id, reason),
    onReverted: (tx, _intent, { pullId }) => lifecycle.reopen(tx, pullId),
  }

  return [approve, revoke, pull]
}

/** What the owner does in their own wallet is followed here. */
export function subscriptionEvents({ lifecycle }: { lifecycle: Lifecycle }): ChainEventHandler[] {
  return [
    onChain(
      'SpendPermissionRevoked',
      async (tx, { hash }, block) => {
        const row = await findPermission(tx, hash)
        if (row === undefined) return
        await saveRevoked(tx, hash, block.time)
        await lifecycle.followRevocation(tx, row.subscriptionId, hash)
      },
      async (tx, { hash }) => {
        const row = await findPermission(tx, hash)
        if (row === undefined) return
        await saveRevoked(tx, hash, null)
        await lifecycle.followRestored(tx, row.subscriptionId, hash)
      },
    ),
  ]
}

/** The upgrade that replaced this permission was taken back by a fork: the subscription is paid through it once more. */
const isStoodOn = ({ status, permissionHash }: SubscriptionRow, hash: string): boolean =>
  permissionHash === hash && status !== 'CANCELED' && status !== 'FAILED'

/** What the transaction did: the use of the permission, and the transfer that came of it. */
function pullIn(
  { events, txHash }: Settlement,
  hash: string,
): { used: ChainEventOf<'SpendPermissionUsed'>; transfer: ChainEventOf<'UsdcTransferred'> } {
  const used = events.find((event) => event.name === 'SpendPermissionUsed' && event.hash === hash)
  if (used?.name !== 'SpendPermissionUsed') throw new Error(`the settled pull ${txHash} used no permission`)
  for (const event of events) {
    if (event.name !== 'UsdcTransferred' || event.amountMicro !== used.amountMicro) continue
    if (isSameAddress(event.from, used.account) && isSameAddress(event.to, used.spender)) {
      return { used, transfer: event }
    }
  }
  throw new Error(`the settled pull ${txHash} moved nothing`)
}
