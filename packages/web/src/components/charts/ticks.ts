/** How far apart ticks may stand, times a power of ten. */
const steps = [1, 2, 5, 10]
const MOST_TICKS = 5

/** From 0 in equal, round steps to the first one that is not below the largest value: 0, 50, 100, 150. */
export function roundTicks(largest: number, { isWhole = false }: { isWhole?: boolean } = {}): number[] {
  const top = largest > 0 ? largest : 1
  const rough = top / (MOST_TICKS - 1)
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = (steps.find((step) => step * power >= rough * (1 - 1e-9)) ?? 10) * power
  const step = isWhole ? Math.max(1, Math.ceil(round)) : round
  const count = Math.ceil(top / step - 1e-9)
  // Counted and not added up, and without what binary fractions leave behind.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}

const spans = [1, 2, 7, 14, 28, 56, 91]

/** The places of the labels below a row of days: equally far apart, the last day always among them. */
export function dayTicks(count: number, most = 6): number[] {
  const span = spans.find((days) => Math.ceil(count / days) <= most) ?? Math.ceil(count / most)
  const places: number[] = []
  for (let place = count - 1; place >= 0; place -= span) places.unshift(place)
  return places
}
