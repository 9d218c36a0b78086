/** After a probe that went well. */
const PROBE_SECONDS = 300
/** After failed ones, each twice as late as the one before. */
const FIRST_RETRY_SECONDS = 60
const LONGEST_RETRY_SECONDS = 3_600

/** A new connection is left alone for a minute: its owner is about to start the agent, and to test it. */
export const FIRST_PROBE_SECONDS = 60

export const probeDelayAfter = (failedProbes: number): number =>
  failedProbes === 0
    ? PROBE_SECONDS
    : Math.min(FIRST_RETRY_SECONDS * 2 ** (failedProbes - 1), LONGEST_RETRY_SECONDS)
