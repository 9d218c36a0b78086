/** Callers that wait for notifications of an owner. A message may be lost, so those that are woken check for themselves. */
export function createWatchers() {
  const waking = new Map<string, Set<() => void>>()
  const wake = (ownerId: string): void => {
    for (const call of waking.get(ownerId) ?? []) call()
  }
  return {
    wake,
    wakeAll(): void {
      for (const ownerId of waking.keys()) wake(ownerId)
    },
    watch(ownerId: string, call: () => void): () => void {
      const calls = waking.get(ownerId) ?? new Set()
      waking.set(ownerId, calls.add(call))
      return () => {
        calls.delete(call)
        if (calls.size === 0 && waking.get(ownerId) === calls) waking.delete(ownerId)
      }
    },
  }
}
