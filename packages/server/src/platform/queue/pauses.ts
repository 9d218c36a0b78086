/** Turns of a tick. */
const LONGEST_PAUSE = 64
/** The others are tried in each turn. */
const REMEMBERED = 10_000

export interface Pauses {
  beginTurn(): void
  isPaused(id: string): boolean
  succeeded(id: string): void
  failed(id: string): void
}

/**
 * What fails again and again is tried less and less often, so that it neither takes the time of the others nor fills the
 * log: in the next turn, then in every second one, every fourth, and so on. A process remembers it for itself.
 */
export function createPauses(): Pauses {
  const failed = new Map<string, { times: number; againAt: number }>()
  let turn = 0
  return {
    beginTurn() {
      turn += 1
      // Their turn has come and gone: somebody else has dealt with them.
      for (const [id, { againAt }] of failed) if (againAt < turn - 1) failed.delete(id)
    },
    isPaused: (id) => (failed.get(id)?.againAt ?? 0) > turn,
    succeeded: (id) => void failed.delete(id),
    failed(id) {
      const times = (failed.get(id)?.times ?? 0) + 1
      if (times === 1 && failed.size >= REMEMBERED) return
      failed.set(id, { times, againAt: turn + Math.min(2 ** (times - 1), LONGEST_PAUSE) })
    },
  }
}
