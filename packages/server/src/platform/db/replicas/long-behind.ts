/** A restart of a replica, or a burst of writes, is over by then. */
const PATIENCE_MS = 60_000

/** Which servers have not been fresh for a minute; each is returned once, and again only after it was fresh. */
export function createLongBehind(names: readonly string[], startedAtMs: number) {
  const freshAtMs = new Map(names.map((name) => [name, startedAtMs]))
  const reported = new Set<string>()

  return (nowMs: number, isFresh: (name: string) => boolean): string[] =>
    names.filter((name) => {
      if (isFresh(name)) {
        freshAtMs.set(name, nowMs)
        reported.delete(name)
        return false
      }
      if (reported.has(name) || nowMs - (freshAtMs.get(name) ?? startedAtMs) < PATIENCE_MS) return false
      reported.add(name)
      return true
    })
}
