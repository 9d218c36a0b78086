/** Numbers that look random and are the same for the same seed, so that a run can be repeated. */
export function createRandom(seed: number) {
  let state = (seed * 2654435761) >>> 0 || 1
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return {
    next,
    normal,
    below: (end: number): number => Math.floor(next() * end),
    chance: (share: number): boolean => next() < share,
    /** An index, each as likely as its weight says. */
    weighted(cumulative: readonly number[]): number {
      const aim = next() * (cumulative.at(-1) ?? 0)
      let low = 0
      let high = cumulative.length - 1
      while (low < high) {
        const middle = (low + high) >> 1
        if ((cumulative[middle] ?? 0) > aim) high = middle
        else low = middle + 1
      }
      return low
    },
  }
}

export type Random = ReturnType<typeof createRandom>
