import { overloaded } from './overloaded.ts'

interface Waiter extends PromiseWithResolvers<void> {
  hasGone: () => boolean
}

export interface Turns {
  /** Resolves when it is its turn; undefined where that is now. Rejects where it has gone by then. */
  take(hasGone: () => boolean): Promise<void> | undefined
  waitingCount(): number
}

/**
 * Lets so many begin in each turn of the event loop, the first of them at once, and the others in their order. One that has
 * gone meanwhile takes nobody's place.
 */
export function createTurns(perTurn: number): Turns {
  const waiters: Waiter[] = []
  let begun = 0
  const nextTurn = (): void => {
    begun = 0
    while (begun < perTurn) {
      const waiter = waiters.shift()
      if (waiter === undefined) break
      if (waiter.hasGone()) waiter.reject(overloaded)
      else {
        begun += 1
        waiter.resolve()
      }
    }
    if (begun > 0) setImmediate(nextTurn)
  }
  return {
    take(hasGone) {
      if (begun < perTurn) {
        if (begun === 0) setImmediate(nextTurn)
        begun += 1
        return undefined
      }
      const waiter = { ...Promise.withResolvers<void>(), hasGone }
      waiters.push(waiter)
      return waiter.promise
    },
    waitingCount: () => waiters.length,
  }
}
