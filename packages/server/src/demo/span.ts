/** The demo covers twelve weeks, up to now. A fresh chain that is to hold it begins so long ago. */
export const DEMO_WEEKS = 12
export const DEMO_SPAN_SECONDS = DEMO_WEEKS * 7 * 24 * 3600

/** Time moves by two days: few enough jumps for a quick start, and close enough for a lively timeline. */
export const SLOT_SECONDS = 2 * 24 * 3600
export const SLOT_COUNT = DEMO_SPAN_SECONDS / SLOT_SECONDS
export const LAST_SLOT = SLOT_COUNT - 1

/** Demo data needs a past to have happened in; a chain that exists already keeps its own. */
export const chainStartOf = ({ demo }: { demo: boolean }): { chainStartSecondsAgo: number } => ({
  chainStartSecondsAgo: demo ? DEMO_SPAN_SECONDS : 0,
})
