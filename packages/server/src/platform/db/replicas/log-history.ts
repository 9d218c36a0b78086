/** Enough for an hour of checks four times a second. */
const SAMPLE_LIMIT = 14_400

interface Sample {
  atMs: number
  position: bigint
}

/**
 * How far the log of the primary was, and when: so a position that a replica has reached can be dated by the clock of this
 * process alone, whether the primary writes or idles.
 */
export function createLogHistory() {
  let samples: Sample[] = []

  return {
    note(atMs: number, position: bigint): void {
      // After a failover without all of the log, positions begin again further back; those beyond never come to pass.
      samples = samples.filter((sample) => sample.position <= position)
      samples.push({ atMs, position })
      if (samples.length > SAMPLE_LIMIT) samples = samples.slice(-SAMPLE_LIMIT / 2)
    },

    /** The latest time at which the primary had nothing beyond this position; undefined where that is not known. */
    timeOf: (position: bigint): number | undefined =>
      samples.findLast((sample) => sample.position <= position)?.atMs,
  }
}
