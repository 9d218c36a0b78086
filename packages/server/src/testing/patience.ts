/**
 * How long a test waits for what must come. It is no measure of speed: what comes ends the wait at once, and a machine that
 * is many times slower than ours still gets there.
 */
export const PATIENCE_MS = 120_000
