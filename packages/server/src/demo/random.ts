/** Choices that come out the same in every run. */
export interface Random {
  /** A whole number, both ends included. */
  between(from: number, to: number): number
  pick<T>(values: readonly [T, ...T[]] | readonly T[]): T
  chance(share: number): boolean
  shuffle<T>(values: readonly T[]): T[]
}

/** Mulberry32: small, fast, and good enough to deal cards with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))

  return {
    between,
    pick(values) {
      const value = values[between(0, values.length - 1)]
      if (value === undefined) throw new RangeError('there is nothing to pick from')
      return value
    },
    chance: (share) => next() < share,
    shuffle(values) {
      const keyed = values.map((value) => ({ value, key: next() }))
      return keyed.sort((one, other) => one.key - other.key).map(({ value }) => value)
    },
  }
}
