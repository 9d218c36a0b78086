/** In turns of a tick. */
const LONGEST_PAUSE = 64
/** An id that has not been due for this many turns was dealt with elsewhere. Not fewer: a slow turn does not reach everything. */
const FORGOTTEN_AFTER = 1_000
/** They take a few megabytes. Further failures are tried again in every turn. */
const MOST_REMEMBERED = 50_000

export interface Pauses {
  beginTurn(): void
  /** An id that is asked about, here or in `isPaused`, is still due and therefore not forgotten. */
  hasFailed(id: string): boolean
  isPaused(id: string): boolean
  /** Compares by the turn in which each is tried again. */
  byTurn(one: { id: string }, other: { id: string }): number
  succeeded(id: string): void
  failed(id: string): void
}

/**
 * What fails again and again is tried less and less often, so that it neither takes time from the others nor fills the log:
 * again after one turn, then after two, four, and so on. Each process remembers its own failures.
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
      if (times === 1 && failed.size >= MOST_REMEMBERED) return
      failed.set(id, { times, againAt: turn + Math.min(2 ** (times - 1), LONGEST_PAUSE), seenAt: turn })
    },
  }
}
