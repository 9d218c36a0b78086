/** Below what a delivery may hold, with room for the rest of it. */
const RESULT_BYTES = 80_000

/** What goes into a result is counted as JSON writes it, so that every result can be delivered, whatever came in. */
export function createBudget({ bytes = RESULT_BYTES, entries = Number.POSITIVE_INFINITY } = {}) {
  let bytesLeft = bytes
  let entriesLeft = entries
  return {
    /** Whether this text still fits; once one does not, none after it does. */
    take(text: string): boolean {
      bytesLeft -= Buffer.byteLength(JSON.stringify(text))
      entriesLeft -= 1
      if (bytesLeft >= 0 && entriesLeft >= 0) return true
      bytesLeft = 0
      entriesLeft = 0
      return false
    },
  }
}
