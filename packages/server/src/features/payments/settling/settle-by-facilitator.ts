import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { leaveRoom } from '../../../platform/http/limits/room.ts'
import type { DelegatedSettlement } from '../../../ports/payments/port.ts'
import { findPayment, type PaymentRow, paymentOf, saveLookUp } from '../store.ts'
import type { Conclusion } from './conclusion.ts'
import type { Settler } from './settler.ts'

/** One call waits for the facilitator's response; after this time the worker reads the chain instead. */
export const RESPONSE_LIMIT_SECONDS = 60

/** Has a facilitator elsewhere send the payment, once. Other callers wait for the outcome to be announced. */
export async function createFacilitatorSettler(deps: {
  db: Database
  clock: Clock
  settlement: DelegatedSettlement
  conclusion: Conclusion
  lookUp: (row: PaymentRow) => Promise<boolean>
  endOfWaits: AbortSignal
}): Promise<Settler> {
  const { db, clock, settlement, conclusion, lookUp, endOfWaits } = deps
  const waiting = new Map<string, Set<() => void>>()
  const wake = (id: string) => {
    for (const resolve of waiting.get(id) ?? []) resolve()
  }
  const wakeAll = () => {
    for (const id of waiting.keys()) wake(id)
  }
  const stopListening = await db.listen('x402_payment_concluded', wake, wakeAll)
  endOfWaits.addEventListener('abort', wakeAll, { once: true })

  async function ask(row: PaymentRow): Promise<void> {
    const outcome = await settlement.settle(paymentOf(row), row.offer)
    if (await lookUp(row)) return
    // Refused before anything was sent, and the chain knows nothing of it: that is final.
    if (outcome.status === 'refused')
      await db.transaction((tx) => conclusion.rejected(tx, row, outcome.reason))
    else await saveLookUp(db, row.id, addSeconds(clock.now(), 2), null)
  }

  async function waitForConclusion(id: string, waitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const resolvers = waiting.get(id) ?? new Set()
    waiting.set(id, resolvers.add(resolve))
    const timer = setTimeout(resolve, waitMs)
    try {
      // It may have been announced before anyone listened here.
      if ((await findPayment(db, id)).status === 'PENDING' && !endOfWaits.aborted) await promise
    } finally {
      clearTimeout(timer)
      resolvers.delete(resolve)
      if (resolvers.size === 0) waiting.delete(id)
    }
  }

  return {
    intentKinds: [],
    begin: async (tx, row) =>
      void (await saveLookUp(tx, row.id, addSeconds(clock.now(), RESPONSE_LIMIT_SECONDS), null)),

    async settle(row, { waitMs, isFirst }) {
      leaveRoom()
      const concluded = waitForConclusion(row.id, waitMs)
      await Promise.all([concluded, isFirst ? Promise.race([ask(row), concluded]) : undefined])
    },

    findSent: async () => undefined,
    sendAgain: ask,
    close: stopListening,
  }
}
