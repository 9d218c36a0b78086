import { AppError } from '@agent-marketplace/contract'
import type { Alert } from '../../money/audit/alert.ts'
import { createAccountOf } from '../../money/books/accounts.ts'
import { placeOf, postEntry } from '../../money/books/journal.ts'
import {
  type IntentKind,
  IntentRejected,
  type Intents,
  type Settlement,
} from '../../money/intents/intents.ts'
import { saveSpendStatus } from '../../money/limits/guardrails.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Notify } from '../../platform/notices/notice.ts'
import type { ChainEventOf, ChainPort } from '../../ports/chain/port.ts'
import type { SpendAuthorization, WalletsPort } from '../../ports/wallets/port.ts'
import type { CarriedWithdrawals } from './carried.ts'
import { failWithdrawal, mayBeCarried } from './failing.ts'
import { confirmedNotice } from './notices.ts'
import { WithdrawalPayload } from './payload.ts'
import {
  AUTHORIZATION_SECONDS,
  authorizationNonceOf,
  HAS_ENDED,
  intentKeyOf,
  verdictOf,
  WALLET_REFUSED,
} from './rules.ts'
import { lockWithdrawal, saveAttempt, saveConfirmed, saveOpenAgain, saveSigned } from './store.ts'

export interface WithdrawalKindDeps {
  db: Queryable
  clock: Clock
  chain: Pick<ChainPort, 'facts' | 'usdc' | 'reader' | 'checksumAddress'>
  wallets: Pick<WalletsPort, 'signTransfer'>
  intents: Pick<Intents, 'create'>
  carried: Pick<CarriedWithdrawals, 'confirm'>
  notify: Notify
  alert: Alert
}

/** How a withdrawal is carried out: the agent's wallet signs, the operator relays and pays the gas. */
export function withdrawalKind(deps: WithdrawalKindDeps): IntentKind<WithdrawalPayload> {
  const { chain, clock, notify } = deps
  const { chainId, contracts, usdc } = chain.facts
  const accountOf = createAccountOf(chain.facts)
  const domain = { name: usdc.name, version: usdc.version, chainId, verifyingContract: contracts.usdc }

  /** Whichever is later: a clock that is behind must not make signatures that the chain takes for expired. */
  const validBefore = async (): Promise<bigint> => {
    const head = await chain.reader.getBlock('latest')
    const nowSeconds = Math.max(Math.floor(clock.now().getTime() / 1000), head?.timestamp ?? 0)
    return BigInt(nowSeconds + AUTHORIZATION_SECONDS)
  }

  const sign = async (walletId: string, authorization: SpendAuthorization) => {
    try {
      return await deps.wallets.signTransfer({ walletId, authorization })
    } catch (error) {
      const isRefused =
        error instanceof AppError && (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND')
      throw isRefused ? new IntentRejected(WALLET_REFUSED) : error
    }
  }

  return {
    kind: 'withdrawal',
    payload: WithdrawalPayload,
    sender: 'operator',
    amountMicro: ({ amountMicro }) => BigInt(amountMicro),
    paysFrom: ({ from }) => accountOf(from),

    async prepare({ withdrawalId, walletId, from, to, amountMicro }) {
      const authorization = {
        from: chain.checksumAddress(from),
        to: chain.checksumAddress(to),
        value: BigInt(amountMicro),
        validAfter: 0n,
        validBefore: await validBefore(),
        nonce: authorizationNonceOf(withdrawalId),
      }
      const signature = await sign(walletId, { domain, ...authorization })
      const until = new Date(Number(authorization.validBefore) * 1000)
      if (!(await saveSigned(deps.db, withdrawalId, until))) throw new IntentRejected(HAS_ENDED)
      return chain.usdc.transferWithAuthorization({ authorization, signature })
    },

    async onSettled(tx, intent, { withdrawalId, from, to, amountMicro }, settlement) {
      const { owner_id: ownerId, agent_id: agentId } = await lockWithdrawal(tx, withdrawalId)
      const value = BigInt(amountMicro)
      const transfer = transferIn(settlement, { from, to, value })
      await postEntry(tx, {
        kind: 'withdrawal',
        at: settlement.blockTime,
        postings: [
          { account: accountOf(from), amountMicro: -value },
          { account: accountOf(to), amountMicro: value },
        ],
        intentId: intent.id,
        requestId: intent.requestId ?? undefined,
        chain: placeOf(settlement, transfer),
        reference: { agentId, ownerId },
      })
      await saveConfirmed(tx, withdrawalId, intent.id)
      await saveSpendStatus(tx, withdrawalId, 'SPENT')
      await notify(tx, confirmedNotice({ ownerId, amountMicro: value }))
    },

    async onRejected(tx, intent, payload, reason) {
      const { withdrawalId } = payload
      const withdrawal = await lockWithdrawal(tx, withdrawalId)
      // Only the newest attempt speaks for the withdrawal, and none against what has moved already.
      const hasEnded = withdrawal.status === 'CONFIRMED' || withdrawal.status === 'FAILED'
      if (hasEnded || withdrawal.intent_id !== intent.id) return
      const verdict = verdictOf(reason, withdrawal.attempts)
      if (verdict === 'moved') {
        if (await deps.carried.confirm(tx, payload)) return
        await deps.alert('A withdrawal’s authorization is used, but no attempt of it has settled yet', {
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
        })
        await saveAttempt(tx, withdrawalId, next.id)
        return
      }
      // Bytes that were sent can be sent again by anyone: it stays reserved until the chain is past the signature's time.
      if (await mayBeCarried(tx, withdrawal)) return
      await failWithdrawal(tx, notify, { withdrawal, reason })
    },

    async onReverted(tx, intent, { withdrawalId }) {
      const withdrawal = await lockWithdrawal(tx, withdrawalId)
      if (withdrawal.intent_id !== intent.id) return
      await saveOpenAgain(tx, withdrawalId)
      await saveSpendStatus(tx, withdrawalId, 'RESERVED')
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
  throw new Error(`the settled withdrawal ${txHash} has no transfer in it`)
}
