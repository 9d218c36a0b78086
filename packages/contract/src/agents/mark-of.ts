export interface Mark {
  /** Degrees on the colour wheel. */
  hue: number
  /** A five by five grid that is its own mirror image, row by row. */
  cells: boolean[]
}

const SIDE = 5
const HALF = 3

/** The face of a wallet: always the same for the same address, whatever its letter case. */
export function markOf(address: string): Mark {
  const digits = address.toLowerCase().replace(/^0x/, '')
  const nibbles = [...digits].map((digit) => Number.parseInt(digit, 16) || 0)
  const seed = nibbles.reduce((hash, nibble) => Math.imul(hash ^ nibble, 0x01000193) >>> 0, 0x811c9dc5)
  const cells: boolean[] = []
  for (let row = 0; row < SIDE; row += 1) {
    for (let column = 0; column < SIDE; column += 1) {
      const mirrored = Math.min(column, SIDE - 1 - column)
      cells.push(((nibbles[row * HALF + mirrored] ?? 0) ^ (seed >>> (row + mirrored))) % 2 === 0)
    }
  }
  return { hue: seed % 360, cells }
}
