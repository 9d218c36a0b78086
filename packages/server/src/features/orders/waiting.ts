/** Calls that wait for a delivery, in this process. */
export interface WaitingDeps {
  /** Calls back whenever the owner may have something new, until the function that it returns is called. */
  watchOwner: (ownerId: string, wake: () => void) => () => void
  maxWaiting?: number
}

export interface Wait<Value> {
  /** Whose job it is. */
  ownerId: string
  seconds: number
  /** Fires when the caller has gone away. */
  gone: AbortSignal
  read: () => Promise<Value>
  isOver: (value: Value) => boolean
}

/** Beyond this many, calls return at once what there is. */
const MAX_WAITING = 2_000

/**
 * Holds calls until what they wait for is there, their time is over, their caller has gone or the service stops. A call
 * that waits holds a timer and nothing else: it looks again when its owner is notified of something.
 */
export function createWaiting({ watchOwner, maxWaiting = MAX_WAITING }: WaitingDeps) {
  const waiting = new Set<() => void>()
  let isClosed = false

  return {
    size: () => waiting.size,

    async until<Value>({ ownerId, seconds, gone, read, isOver }: Wait<Value>): Promise<Value> {
      const isTaken = seconds > 0 && !isClosed && waiting.size < maxWaiting && !gone.aborted
      if (!isTaken) return read()
      let change = Promise.withResolvers<void>()
      const end = Promise.withResolvers<'ended'>()
      const stop = () => end.resolve('ended')
      const unwatch = watchOwner(ownerId, () => change.resolve())
      const timer = setTimeout(stop, seconds * 1000)
      gone.addEventListener('abort', stop, { once: true })
      waiting.add(stop)
      try {
        for (;;) {
          // Asked for before looking: what comes in between is seen at once.
          change = Promise.withResolvers()
          const value = await read()
          if (isOver(value)) return value
          if ((await Promise.race([change.promise, end.promise])) === 'ended') return await read()
        }
      } finally {
        waiting.delete(stop)
        gone.removeEventListener('abort', stop)
        clearTimeout(timer)
        unwatch()
      }
    },

    /** Lets everybody go. */
    async close(): Promise<void> {
      isClosed = true
      for (const stop of waiting) stop()
    },
  }
}

export type Waiting = ReturnType<typeof createWaiting>
