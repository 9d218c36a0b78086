import type { Cost } from './time.ts'

export interface Measured {
  size: number
  costs: Cost[]
}

/** How much more a tenfold market may cost: what grows with the logarithm stays far below, and small times are noise. */
const GROWTH_LIMIT = 2
const NOISE_MS = 2

export const sizeName = (size: number): string =>
  size >= 1_000_000 ? `${size / 1_000_000}M` : `${size / 1_000}k`

const costOf = ({ costs }: Measured, what: string): number =>
  costs.find((cost) => cost.what === what)?.ms ?? Number.NaN

/** From one size to the next, for each tenfold. */
export function growthOf(measured: readonly Measured[], what: string): number {
  const [first, last] = [measured[0], measured.at(-1)]
  if (first === undefined || last === undefined || first === last) return Number.NaN
  const tenfolds = Math.log10(last.size / first.size)
  return (costOf(last, what) / costOf(first, what)) ** (1 / tenfolds)
}

/** One line for each call and tick; those that grow are marked. */
export function formatTable(measured: readonly Measured[]): string {
  const whats = measured[0]?.costs.map(({ what }) => what) ?? []
  const width = Math.max(...whats.map((what) => what.length))
  const head = `${'ms'.padEnd(width)}${measured.map(({ size }) => sizeName(size).padStart(10)).join('')}   × per tenfold`
  const lines = whats.map((what) => {
    const times = measured.map((one) => costOf(one, what))
    const growth = growthOf(measured, what)
    const grows = growth > GROWTH_LIMIT && (times.at(-1) ?? 0) > NOISE_MS ? '  GROWS' : ''
    return `${what.padEnd(width)}${times.map((ms) => ms.toFixed(2).padStart(10)).join('')}${growth.toFixed(2).padStart(11)}${grows}`
  })
  return [head, ...lines].join('\n')
}
