import { formatUsdc } from '@agent-marketplace/contract'
import { type Static, Type } from 'typebox'
import { type ChainEventHandler, onChain } from '../../house/feature.ts'
import type { IntentKind, Intents } from '../../money/intents/intents.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { NoticeWords, Notify } from '../../platform/notices/notice.ts'
import { createDueWork, type DuePlace } from '../../platform/queue/due-work.ts'
import type { EscrowCalls } from '../../ports/chain/port.ts'
import { changeHeld, findNextTry, listDue, postponeClaim, takeDue } from './store.ts'

const KIND = 'escrow.claim'
const GAS_LIMIT = 200_000n
const FIRST_PAUSE_SECONDS = 60
const LONGEST_PAUSE_SECONDS = 24 * 3600
const BATCH = 1_000

const ClaimOrder = Type.Object({ recipient: Type.String({ pattern: '^0x[0-9a-f]{40}$' }) })
type ClaimOrder = Static<typeof ClaimOrder>

export interface HeldPaymentsDeps {
  db: Database
  clock: Clock
  newId: NewId
  intents: Pick<Intents, 'create' | 'kick'>
  escrow: Pick<EscrowCalls, 'claim'>
  notify: Notify
  /** Whose wallet this is: an owner's own, or one of an agent. */
  ownerOf: (tx: Queryable, wallet: string) => Promise<string | undefined>
}

/**
 * Payments that the token refused to make, for example to a blocked wallet. The escrow holds them for a claim, which anybody
 * may send and which pays the recipient alone. It is tried again, less and less often, for as long as something is held: a
 * refused trial costs nothing.
 */
export function createHeldPayments(deps: HeldPaymentsDeps) {
  const { db, clock, newId, intents, escrow, notify, ownerOf } = deps

  const change = async (tx: Transaction, recipient: string, byMicro: bigint): Promise<void> =>
    changeHeld(tx, { recipient: recipient.toLowerCase(), byMicro, now: clock.now() })

  const notifyRecipient = async (tx: Transaction, recipient: string, notice: NoticeWords): Promise<void> => {
    const ownerId = await ownerOf(tx, recipient)
    if (ownerId !== undefined) await notify(tx, { ownerId, link: '/sell/earnings', ...notice })
  }

  const eventHandlers: ChainEventHandler[] = [
    onChain(
      'PaymentDeferred',
      async (tx, { recipient, amountMicro }) => {
        await change(tx, recipient, amountMicro)
        const message = `The token refuses to pay ${formatUsdc(amountMicro)} USDC to ${recipient}. The escrow holds them, and they are claimed for this wallet until they arrive.`
        await notifyRecipient(tx, recipient, {
          type: 'SYSTEM_ALERT',
          title: 'Payment held for claim',
          message,
        })
      },
      (tx, { recipient, amountMicro }) => change(tx, recipient, -amountMicro),
    ),
    onChain(
      'PaymentClaimed',
      async (tx, { recipient, amountMicro }) => {
        await change(tx, recipient, -amountMicro)
        const message = `${formatUsdc(amountMicro)} USDC that the escrow held have arrived at ${recipient}.`
        await notifyRecipient(tx, recipient, {
          type: 'PAYMENT_RECEIVED',
          title: 'Held payment received',
          message,
        })
      },
      (tx, { recipient, amountMicro }) => change(tx, recipient, amountMicro),
    ),
  ]
  const claim: IntentKind<ClaimOrder> = {
    kind: KIND,
    payload: ClaimOrder,
    sender: 'operator',
    gasLimit: GAS_LIMIT,
    prepare: async ({ recipient }) => escrow.claim({ recipient: `0x${recipient.slice(2)}` }),
    onRejected: (tx, _intent, { recipient }) =>
      postponeClaim(tx, {
        recipient,
        now: clock.now(),
        firstSeconds: FIRST_PAUSE_SECONDS,
        longestSeconds: LONGEST_PAUSE_SECONDS,
      }),
  }

  const claimFor = (recipient: string, now: Date): Promise<void> =>
    db.transaction(async (tx) => {
      if (!(await takeDue(tx, recipient, now))) return
      const payload: ClaimOrder = { recipient }
      const key = `${KIND}:${recipient}:${newId()}`
      await intents.create(tx, { kind: KIND, key, payload, requestId: null, lane: `claim:${recipient}` })
      tx.afterCommit(intents.kick)
    })

  const claimDue = createDueWork<DuePlace, Date>({
    list: (after, now) => listDue(db, { now, after, limit: BATCH }),
    work: ({ id: recipient }, now) => claimFor(recipient, now),
  })

  return {
    intentKinds: [claim],
    eventHandlers,

    /** The tick: claims what is due. */
    runDue: (signal: AbortSignal): Promise<void> => claimDue(clock.now(), signal),

    nextDueAt: (after: Date) => findNextTry(db, after),
  }
}
