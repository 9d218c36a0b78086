export interface WriteBehindOptions<Item> {
  /** Writes a batch. One whose outcome is unknown is given again, so it must not write an item twice. */
  write: (items: readonly Item[]) => Promise<void>
  /** Of the first failure after a success. */
  onFailure: (error: unknown) => void
  batchLimit: number
  /** Where more wait than this, the oldest are dropped. */
  queueLimit: number
  /** How long the first item of a batch waits for others. */
  delayMs: number
}

export interface WriteBehind<Item> {
  add(item: Item): void
  /** Writes what waits now. Rejects where it cannot be written; it waits on then. */
  flush(): Promise<void>
  droppedCount(): number
  /** Writes what waits, once, and stops. */
  close(): Promise<void>
}

/**
 * Keeps items in memory and writes them in batches, so that no request waits for a record of it. A batch that fails is
 * tried again, with the next ones, until the queue is full. What a crash takes is lost.
 */
export function createWriteBehind<Item>(options: WriteBehindOptions<Item>): WriteBehind<Item> {
  const { write, onFailure, batchLimit, queueLimit, delayMs } = options
  let waiting: Item[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let isFailing = false
  let isClosed = false

  function dropOldest(): void {
    const excess = waiting.length - queueLimit
    if (excess <= 0) return
    waiting = waiting.slice(excess)
    dropped += excess
  }

  /** What waits now. What comes meanwhile gathers for the next time, or each batch would be as small as the first is quick. */
  async function writeAll(): Promise<void> {
    let left = waiting.length
    while (left > 0) {
      const batch = waiting.slice(0, Math.min(left, batchLimit))
      waiting = waiting.slice(batch.length)
      left -= batch.length
      try {
        await write(batch)
        isFailing = false
      } catch (error) {
        // In front of what came meanwhile, so that the oldest are still the first to be dropped.
        waiting = [...batch, ...waiting]
        dropOldest()
        if (!isFailing) onFailure(error)
        isFailing = true
        throw error
      }
    }
  }

  function schedule(): void {
    if (timer !== undefined || isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      // Reported already, and tried again.
      flush().catch(() => undefined)
    }, delayMs)
    timer.unref()
  }

  async function flush(): Promise<void> {
    writing ??= writeAll().finally(() => {
      writing = undefined
      if (waiting.length > 0) schedule()
    })
    await writing
  }

  return {
    add(item) {
      waiting.push(item)
      // A quarter more before they are cut, so that a full queue is not copied for each item.
      if (waiting.length > queueLimit * 1.25) dropOldest()
      schedule()
    },
    async flush() {
      // What is being written now may have begun before the last item came.
      if (writing) await writing
      await flush()
    },
    droppedCount: () => dropped,
    async close() {
      isClosed = true
      clearTimeout(timer)
      if (writing) await writing.catch(() => undefined)
      await flush().catch(() => {
        dropped += waiting.length
        waiting = []
      })
    },
  }
}
