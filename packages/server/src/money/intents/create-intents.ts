import { AppError } from '@agent-marketplace/contract'
import type { Database } from '../../platform/db/database.ts'
import { leaveRoom } from '../../platform/http/limits/room.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { GasBudget } from '../limits/gas-budget.ts'
import { findIntentById, findIntentByKey, insertIntent, isSameIntent } from './intent-store.ts'
import type { Intent, Intents } from './intents.ts'
import type { Kinds } from './kinds.ts'

const CHANNEL = 'intent_changed'

export interface RunningIntents extends Intents {
  /** Called whenever there may be work. */
  onKick(wake: () => void): void
  /** How many callers wait for an outcome now. */
  waitingCount(): number
  /** Called whenever one more caller begins to wait. */
  onWaiting(listener: () => void): void
  /** Begins to listen for new intents and outcomes, also those of other processes. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Decisions to move money. Each is stored in the transaction of the decision itself and carried out at most once. */
export function createIntents({
  db,
  newId,
  kinds,
  gasBudget,
  endOfWaits,
}: {
  db: Database
  newId: NewId
  kinds: Kinds
  gasBudget?: Pick<GasBudget, 'take'> | undefined
  /** Once it is aborted nobody waits any more: a caller gets the intent as it is. */
  endOfWaits?: AbortSignal | undefined
}): RunningIntents {
  const waiting = new Map<string, Set<() => void>>()
  let wakeWorker = () => {}
  let announceWaiting = () => {}
  let stopListening: (() => Promise<void>) | undefined

  const wakeOne = (id: string) => {
    for (const wake of waiting.get(id) ?? []) wake()
  }
  const wakeAll = () => {
    for (const id of waiting.keys()) wakeOne(id)
    wakeWorker()
  }

  endOfWaits?.addEventListener('abort', wakeAll, { once: true })

  const existing = async (id: string): Promise<Intent> => {
    const intent = await findIntentById(db, id)
    if (intent === undefined) throw new AppError('NOT_FOUND', { message: `There is no intent ${id}` })
    return intent
  }

  return {
    register: kinds.register,
    find: findIntentByKey,
    kick: () => wakeWorker(),

    async create(tx, intent) {
      const kind = kinds.of(intent.kind)
      const finality = kind.finalityOf(intent.payload)
      const payer = kind.largePayerOf(intent.payload)
      const made = await insertIntent(
        tx,
        { ...intent, id: newId() },
        { sender: kind.sender, finality, payer },
      )
      if (made !== undefined) {
        if (intent.charge) await gasBudget?.take(tx, intent.charge)
        return made
      }
      const known = await findIntentByKey(tx, intent.key)
      if (known === undefined || !(await isSameIntent(tx, intent))) {
        throw new AppError('CONFLICT', { message: 'This payment was already ordered with other terms.' })
      }
      return known
    },

    async waitFor(intentId, timeoutMs) {
      const deadlineMs = performance.now() + timeoutMs
      let intent = await existing(intentId)
      while (!isEnded(intent) && !endOfWaits?.aborted) {
        const leftMs = deadlineMs - performance.now()
        if (leftMs <= 0) break
        const { promise, resolve } = Promise.withResolvers<void>()
        const wakers = waiting.get(intentId) ?? new Set()
        waiting.set(intentId, wakers.add(resolve))
        const timer = setTimeout(resolve, leftMs)
        try {
          // It may have ended between the first look and the moment from which on it is listened for.
          intent = await existing(intentId)
          if (!isEnded(intent) && !endOfWaits?.aborted) {
            announceWaiting()
            leaveRoom()
            await promise
            intent = await existing(intentId)
          }
        } finally {
          clearTimeout(timer)
          wakers.delete(resolve)
          if (wakers.size === 0) waiting.delete(intentId)
        }
      }
      return intent
    },

    onKick(wake) {
      wakeWorker = wake
    },

    waitingCount: () => [...waiting.values()].reduce((sum, { size }) => sum + size, 0),

    onWaiting(listener) {
      announceWaiting = listener
    },

    async start() {
      stopListening = await db.listen(CHANNEL, (id) => (id === '' ? wakeWorker() : wakeOne(id)), wakeAll)
    },

    async stop() {
      await stopListening?.()
      stopListening = undefined
      wakeAll()
    },
  }
}

const isEnded = ({ status }: Intent): boolean => status === 'SETTLED' || status === 'REJECTED'
