/** How many messages one process has in flight to one host, across all owners. */
export const LANES_PER_HOST = 8

/**
 * Keeps one host that many accounts send to from taking every lane, and one account from taking every lane of a host that
 * it shares with others: each may hold as many lanes as it would leave free, at most half of them.
 */
export function createHostLanes() {
  const busy = new Map<string, Map<string, number>>()

  return {
    /** The call that leaves the lane again; undefined when the host has none free for this owner. */
    enter(url: string, ownerId: string): (() => void) | undefined {
      const { hostname } = new URL(url)
      const holders = busy.get(hostname) ?? new Map<string, number>()
      const own = holders.get(ownerId) ?? 0
      const free = LANES_PER_HOST - sumOf(holders.values())
      if (own >= free) return undefined
      busy.set(hostname, holders.set(ownerId, own + 1))
      return () => {
        const left = (holders.get(ownerId) ?? 1) - 1
        if (left > 0) return void holders.set(ownerId, left)
        holders.delete(ownerId)
        if (holders.size === 0) busy.delete(hostname)
      }
    },
  }
}

export type HostLanes = ReturnType<typeof createHostLanes>

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((sum, count) => sum + count, 0)
