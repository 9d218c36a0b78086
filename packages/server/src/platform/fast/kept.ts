/** Values by key, up to so many bytes of them. */
export interface Kept<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value, bytes: number): void
}

/** Where there are too many, those are dropped first that nobody has asked for the longest. */
export function createKept<Value>({ maxBytes }: { maxBytes: number }): Kept<Value> {
  /** A map keeps the order in which its keys were added, so the first is the oldest. */
  const entries = new Map<string, { value: Value; bytes: number }>()
  let total = 0

  const remove = (key: string): void => {
    total -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, bytes) {
      remove(key)
      if (bytes > maxBytes) return
      entries.set(key, { value, bytes })
      total += bytes
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break
        remove(oldest)
      }
    },
  }
}
