interface GatherOptions<Item> {
  /** Must not throw. The next items leave when it is done. */
  send: (items: Item[]) => Promise<void>
  batchLimit: number
  /** How many batches may be under way while further items gather. */
  inFlightLimit: number
  /** A batch joins another one under way only when it is no smaller: then batches grow with the load. */
  isPatient?: boolean
}

/**
 * Joins what is wanted at the same time. A lone item is sent at once; items gather only while others are under way, so
 * nobody waits for a timer.
 */
export function createGather<Item>({
  send,
  batchLimit,
  inFlightLimit,
  isPatient = false,
}: GatherOptions<Item>): (item: Item) => void {
  const inFlight = new Set<Item[]>()
  let gathering: Item[] = []
  let isScheduled = false

  const mayLeave = (): boolean => {
    if (gathering.length === 0 || inFlight.size >= inFlightLimit) return false
    return !isPatient || [...inFlight].every((batch) => gathering.length >= batch.length)
  }

  const sendBatch = async (batch: Item[]): Promise<void> => {
    inFlight.add(batch)
    await send(batch)
    inFlight.delete(batch)
    sendNext()
  }

  const sendNext = (): void => {
    isScheduled = false
    while (mayLeave()) {
      const batch = gathering.slice(0, batchLimit)
      gathering = gathering.slice(batchLimit)
      void sendBatch(batch)
    }
  }

  return (item) => {
    gathering.push(item)
    if (inFlight.size === 0) {
      sendNext()
    } else if (!isScheduled) {
      isScheduled = true
      // The requests of one turn of the event loop are all read before the next batch leaves.
      setImmediate(sendNext)
    }
  }
}
