import { type Measured, sizeName } from './table.ts'

const WIDTH = 860
const LEFT = 260
const ROW = 18
const TOP = 40
const colours = ['#9ec5fe', '#3b82f6', '#1e3a8a']

/** Bars of the time of each call and tick on a logarithmic scale, one bar for each size. */
export function drawPlot(measured: readonly Measured[]): string {
  const whats = measured[0]?.costs.map(({ what }) => what) ?? []
  const all = measured.flatMap(({ costs }) => costs.map(({ ms }) => ms))
  const most = Math.ceil(Math.log10(Math.max(...all)))
  const least = -1
  const lengthOf = (ms: number): number =>
    (Math.max(0, Math.log10(Math.max(ms, 0.1)) - least) / (most - least)) * (WIDTH - LEFT - 20)
  const height = TOP + whats.length * ROW + 20
  const marks = Array.from({ length: most - least + 1 }, (_, index) => {
    const ms = 10 ** (least + index)
    const x = LEFT + lengthOf(ms)
    return `<line x1="${x}" y1="${TOP - 4}" x2="${x}" y2="${height - 16}" stroke="#ddd"/><text x="${x}" y="${height - 4}" text-anchor="middle">${ms} ms</text>`
  })
  const rows = whats.map((what, row) => {
    const y = TOP + row * ROW
    const bar = (ROW - 4) / measured.length
    const bars = measured.map(
      ({ costs }, index) =>
        `<rect x="${LEFT}" y="${y + index * bar}" width="${lengthOf(costs[row]?.ms ?? 0).toFixed(1)}" height="${bar.toFixed(1)}" fill="${colours[index % colours.length]}"/>`,
    )
    return `<text x="${LEFT - 8}" y="${y + ROW - 7}" text-anchor="end">${what}</text>${bars.join('')}`
  })
  const legend = measured.map(
    ({ size }, index) =>
      `<rect x="${LEFT + index * 110}" y="12" width="12" height="12" fill="${colours[index % colours.length]}"/><text x="${LEFT + 18 + index * 110}" y="22">${sizeName(size)} agents</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11"><title>What calls and ticks cost at each size</title><rect width="${WIDTH}" height="${height}" fill="#fff"/>${legend.join('')}${marks.join('')}${rows.join('')}</svg>\n`
}
