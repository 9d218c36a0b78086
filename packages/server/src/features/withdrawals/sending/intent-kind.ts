import type { Alert } from '../../../money/audit/alert.ts'
import { placeOf } from '../../../money/books/journal.ts'
import {
  type IntentKind,
  IntentRejected,
  type Intents,
  type Settlement,
} from '../../../money/intents/intents.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import type { ChainEventOf, ChainPort } from '../../../ports/chain/port.ts'
import { WithdrawalPayload } from '../payload.ts'
import {
  AUTHORIZATION_SECONDS,
  authorizationNonceOf,
  HAS_ENDED,
  intentKeyOf,
  laneOf,
  verdictOf,
} from '../rules.ts'
import { lockWithdrawal, saveAttempt, saveConfirmed, saveSigned } from '../store.ts'
import type { CarriedWithdrawals } from './carried.ts'
import { mayBeCarried } from './failing.ts'
import { type OutcomeDeps, writeFailed, writeMoved, writeOpenAgain } from './outcomes.ts'
import type { CheckPayment } from './refunded-payment.ts'
import type { SignTransfer } from './signing.ts'

export interface WithdrawalKindDeps extends OutcomeDeps {
  db: Queryable
  clock: Clock
  chain: Pick<ChainPort, 'facts' | 'usdc' | 'reader' | 'checksumAddress'>
  /** Signs for an agent, and for a refund lets its wallet pay the one who paid. */
  sign: SignTransfer
  /** Throws while a refund must not go out. */
  checkPayment: CheckPayment
  intents: Pick<Intents, 'create'>
  carried: Pick<CarriedWithdrawals, 'confirm'>
  alert: Alert
}

/** How a withdrawal is carried out: the agent's wallet signs, the operator relays and pays the gas. */
export function withdrawalKind(deps: WithdrawalKindDeps): IntentKind<WithdrawalPayload> {
  const { chain, clock } = deps
  const { chainId, contracts, usdc } = chain.facts
  const domain = { name: usdc.name, version: usdc.version, chainId, verifyingContract: contracts.usdc }

  /** Whichever is later: a clock that is behind must not make signatures that the chain takes for expired. */
  const validBefore = async (): Promise<bigint> => {
    const head = await chain.reader.getBlock('latest')
    const nowSeconds = Math.max(Math.floor(clock.now().getTime() / 1000), head?.timestamp ?? 0)
    return BigInt(nowSeconds + AUTHORIZATION_SECONDS)
  }

  return {
    kind: 'withdrawal',
    payload: WithdrawalPayload,
    sender: 'operator',
    amountMicro: ({ amountMicro }) => BigInt(amountMicro),
    paysFrom: ({ from }) => deps.accountOf(from),

    async prepare({ withdrawalId, walletId, from, to, amountMicro }) {
      await deps.checkPayment(withdrawalId)
      const authorization = {
        from: chain.checksumAddress(from),
        to: chain.checksumAddress(to),
        value: BigInt(amountMicro),
        validAfter: 0n,
        validBefore: await validBefore(),
        nonce: authorizationNonceOf(withdrawalId),
      }
      const signature = await deps.sign({
        withdrawalId,
        walletId,
        authorization: { domain, ...authorization },
      })
      const until = new Date(Number(authorization.validBefore) * 1000)
      if (!(await saveSigned(deps.db, withdrawalId, until))) throw new IntentRejected(HAS_ENDED)
      return chain.usdc.transferWithAuthorization({ authorization, signature })
    },

    async onSettled(tx, intent, { withdrawalId, from, to, amountMicro }, settlement) {
      const withdrawal = await lockWithdrawal(tx, withdrawalId)
      const transfer = transferIn(settlement, { from, to, value: BigInt(amountMicro) })
      await saveConfirmed(tx, withdrawalId, intent.id)
      await writeMoved(tx, deps, withdrawal, {
        from,
        to,
        place: placeOf(settlement, transfer),
        at: settlement.blockTime,
        intentId: intent.id,
        requestId: intent.requestId ?? undefined,
      })
    },

    async onRejected(tx, intent, payload, reason) {
      const { withdrawalId } = payload
      const withdrawal = await lockWithdrawal(tx, withdrawalId)
      // Only the newest attempt speaks for the withdrawal, and none against what has moved already.
      const hasEnded = withdrawal.status === 'CONFIRMED' || withdrawal.status === 'FAILED'
      if (hasEnded || withdrawal.intentId !== intent.id) return
      const verdict = verdictOf(reason, withdrawal.attempts)
      if (verdict === 'moved') {
        if (await deps.carried.confirm(tx, payload)) return
        await deps.alert('WITHDRAWAL_UNCONFIRMED', {
          withdrawalId,
          intentId: intent.id,
        })
        return
      }
      if (verdict === 'again') {
        const next = await deps.intents.create(tx, {
          kind: intent.kind,
          key: intentKeyOf(withdrawalId, withdrawal.attempts + 1),
          payload,
          requestId: intent.requestId,
          ...laneOf(payload.walletId, withdrawal.jobId),
        })
        await saveAttempt(tx, withdrawalId, next.id)
        return
      }
      // Bytes that were sent can be sent again by anyone: it stays reserved until the chain is past the signature's time.
      if (await mayBeCarried(tx, withdrawal)) return
      await writeFailed(tx, deps, withdrawal, reason)
    },

    async onReverted(tx, intent, { withdrawalId }) {
      const withdrawal = await lockWithdrawal(tx, withdrawalId)
      if (withdrawal.intentId !== intent.id) return
      await writeOpenAgain(tx, deps, withdrawal)
    },
  }
}

function transferIn(
  { events, txHash }: Settlement,
  wanted: { from: string; to: string; value: bigint },
): ChainEventOf<'UsdcTransferred'> {
  const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()
  for (const event of events) {
    if (event.name !== 'UsdcTransferred' || event.amountMicro !== wanted.value) continue
    if (isSame(event.from, wanted.from) && isSame(event.to, wanted.to)) return event
  }
  throw new Error(`the confirmed withdrawal ${txHash} has no transfer in it`)
}
