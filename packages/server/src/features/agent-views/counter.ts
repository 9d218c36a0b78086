import type { ViewedPart } from '@agent-marketplace/contract'

export interface ViewCount {
  agentId: string
  /** As `2026-11-15`. */
  day: string
  profileViews: number
  hireForms: number
}

interface CounterOptions {
  write: (counts: readonly ViewCount[]) => Promise<void>
  onFailure: (error: unknown) => void
  /** How many agents and days are counted at a time; further ones are dropped until the next write. */
  limit: number
  delayMs: number
}

/**
 * Sums in memory, written together a little later, so that no visitor waits for a write and a busy agent costs one row. What a
 * crash or a failed write takes is lost: too few, and never too many.
 */
export function createCounter({ write, onFailure, limit, delayMs }: CounterOptions) {
  let counts = new Map<string, ViewCount>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  async function writeAll(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (counts.size === 0) return
    const batch = [...counts.values()]
    counts = new Map()
    await write(batch).catch(onFailure)
  }

  const flush = (): Promise<void> => {
    writing = writing.then(writeAll)
    return writing
  }

  return {
    add(agentId: string, day: string, part: ViewedPart): void {
      const key = `${agentId} ${day}`
      const count = counts.get(key) ?? { agentId, day, profileViews: 0, hireForms: 0 }
      if (!counts.has(key) && counts.size >= limit) return
      if (part === 'PROFILE') count.profileViews += 1
      else count.hireForms += 1
      counts.set(key, count)
      timer ??= setTimeout(flush, delayMs).unref()
    },
    flush,
  }
}
