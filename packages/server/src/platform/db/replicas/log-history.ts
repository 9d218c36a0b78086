/** Enough for an hour of checks four times a second. */
const SAMPLE_LIMIT = 14_400

/** Where the log of a primary ends. */
export interface LogEnd {
  /** Each promotion of a standby begins another one. */
  timeline: string
  position: bigint
}

/**
 * How far the log of the primary was, and when: so a position that a replica has reached can be dated by the clock of this
 * process alone, whether the primary writes or idles.
 */
export function createLogHistory() {
  let samples: { atMs: number; position: bigint }[] = []
  let last: LogEnd | undefined

  return {
    /**
     * Returns whether it is the log of before. After a failover it may not be: positions then stand for other writes, and
     * what was noted of the old ones says nothing.
     */
    note(atMs: number, end: LogEnd): boolean {
      const isSame = last === undefined || (last.timeline === end.timeline && last.position <= end.position)
      if (!isSame) samples = []
      last = end
      samples.push({ atMs, position: end.position })
      if (samples.length > SAMPLE_LIMIT) samples = samples.slice(-SAMPLE_LIMIT / 2)
      return isSame
    },

    /** The latest time at which the primary had nothing beyond this position; undefined where that is not known. */
    timeOf: (position: bigint): number | undefined =>
      samples.findLast((sample) => sample.position <= position)?.atMs,
  }
}
