/** Turns of a tick. */
const LONGEST_PAUSE = 64
/** What was not due for so many turns, somebody else has dealt with. Where many take long, a turn does not come to all. */
const FORGOTTEN_AFTER = 1_000
/** A few megabytes. The others are tried in each turn. */
const REMEMBERED = 50_000

export interface Pauses {
  beginTurn(): void
  hasFailed(id: string): boolean
  isPaused(id: string): boolean
  /** Sorts by the turns in which they are tried again. */
  byTurn(one: { id: string }, other: { id: string }): number
  succeeded(id: string): void
  failed(id: string): void
}

/**
 * What fails again and again is tried less and less often, so that it neither takes the time of the others nor fills the
 * log: in the next turn, then in every second one, every fourth, and so on. A process remembers it for itself.
 */
export function createPauses(): Pauses {
  const failed = new Map<string, { times: number; againAt: number; seenAt: number }>()
  let turn = 0
  const see = (id: string): number | undefined => {
    const known = failed.get(id)
    if (known !== undefined) known.seenAt = turn
    return known?.againAt
  }
  const turnOf = ({ id }: { id: string }): number => failed.get(id)?.againAt ?? 0
  return {
    beginTurn() {
      turn += 1
      for (const [id, { againAt, seenAt }] of failed)
        if (Math.max(againAt, seenAt) < turn - FORGOTTEN_AFTER) failed.delete(id)
    },
    hasFailed: (id) => see(id) !== undefined,
    isPaused: (id) => (see(id) ?? 0) > turn,
    byTurn: (one, other) => turnOf(one) - turnOf(other),
    succeeded: (id) => void failed.delete(id),
    failed(id) {
      const times = (failed.get(id)?.times ?? 0) + 1
      if (times === 1 && failed.size >= REMEMBERED) return
      failed.set(id, { times, againAt: turn + Math.min(2 ** (times - 1), LONGEST_PAUSE), seenAt: turn })
    },
  }
}
