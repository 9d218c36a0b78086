import type { Cost } from './time.ts'

export interface Measured {
  size: number
  costs: Cost[]
}

/** From 10,000 to a million, log n grows by 1.22 for each tenfold: what grows faster is looked at. */
const GROWTH_LIMIT = 1.25

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

/** What is left of it at no size, by a line through the first and the last. */
export function fixedOf(measured: readonly Measured[], what: string): number {
  const [first, last] = [measured[0], measured.at(-1)]
  if (first === undefined || last === undefined || first === last) return Number.NaN
  const [least, most] = [costOf(first, what), costOf(last, what)]
  return Math.max(0, least - ((most - least) * first.size) / (last.size - first.size))
}

/** One line for each call and tick; those that grow faster than the logarithm are marked. */
export function formatTable(measured: readonly Measured[]): string {
  const whats = measured[0]?.costs.map(({ what }) => what) ?? []
  const width = Math.max(...whats.map((what) => what.length))
  const head = `${'ms'.padEnd(width)}${measured.map(({ size }) => sizeName(size).padStart(10)).join('')}${'fixed'.padStart(10)}   × per tenfold`
  const lines = whats.map((what) => {
    const times = [...measured.map((one) => costOf(one, what)), fixedOf(measured, what)]
    const growth = growthOf(measured, what)
    const grows = growth > GROWTH_LIMIT ? `  GROWS × ${growth.toFixed(2)}` : ''
    return `${what.padEnd(width)}${times.map((ms) => ms.toFixed(2).padStart(10)).join('')}${growth.toFixed(2).padStart(11)}${grows}`
  })
  return [head, ...lines].join('\n')
}
