/**
 * Callers that wait for notifications of an owner about one page. A message may be lost, so those that are woken check for
 * themselves.
 */
export function createWatchers() {
  const waking = new Map<string, Map<string, Set<() => void>>>()
  /** Without links, it may be about any page. */
  const wake = (ownerId: string, links: readonly string[] = []): void => {
    const pages = waking.get(ownerId)
    if (!pages) return
    for (const link of links.length === 0 ? [...pages.keys()] : links)
      for (const call of pages.get(link) ?? []) call()
  }
  return {
    wake,
    wakeAll(): void {
      for (const ownerId of waking.keys()) wake(ownerId)
    },
    watch({ ownerId, link }: { ownerId: string; link: string }, call: () => void): () => void {
      const pages = waking.get(ownerId) ?? new Map<string, Set<() => void>>()
      const calls = pages.get(link) ?? new Set()
      waking.set(ownerId, pages.set(link, calls.add(call)))
      return () => {
        calls.delete(call)
        if (calls.size === 0 && pages.get(link) === calls) pages.delete(link)
        if (pages.size === 0 && waking.get(ownerId) === pages) waking.delete(ownerId)
      }
    },
  }
}
