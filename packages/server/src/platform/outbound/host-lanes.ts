/** How many messages one process has in flight to one host, across all owners. */
export const LANES_PER_HOST = 8

/** Keeps one host that many accounts send to from taking every lane. */
export function createHostLanes() {
  const busy = new Map<string, number>()

  return {
    /** The call that leaves the lane again; undefined when the host has none free. */
    enter(url: string): (() => void) | undefined {
      const { hostname } = new URL(url)
      const count = busy.get(hostname) ?? 0
      if (count >= LANES_PER_HOST) return undefined
      busy.set(hostname, count + 1)
      return () => {
        const left = (busy.get(hostname) ?? 1) - 1
        if (left === 0) busy.delete(hostname)
        else busy.set(hostname, left)
      }
    },
  }
}

export type HostLanes = ReturnType<typeof createHostLanes>
