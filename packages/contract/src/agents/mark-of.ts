export type Point = readonly [x: number, y: number]

export interface Mark {
  /** Hex colours that stand out from each other. */
  ground: string
  figure: string
  /** Filled with the colour of the figure, in a square with sides of 2. */
  polygons: readonly (readonly Point[])[]
}

/** Ground and figure, light and dark, all around the colour wheel. */
const colours = [
  ['#f6c9c1', '#8c1f2b'],
  ['#a3292f', '#ffd9a8'],
  ['#f8d3a0', '#7a3d06'],
  ['#b4560f', '#fff0cf'],
  ['#f3e08c', '#5b4a00'],
  ['#6f5a05', '#fbeea6'],
  ['#d5e6a1', '#3b5a0c'],
  ['#4a6b14', '#eff7c9'],
  ['#aee0b4', '#0f5330'],
  ['#13623c', '#cdf5c4'],
  ['#a5e2da', '#075a57'],
  ['#0b5f63', '#f9e3b4'],
  ['#b3dcf3', '#0d4f7c'],
  ['#12558a', '#d3efff'],
  ['#c3cff8', '#2c3a9c'],
  ['#2f3a8f', '#f7c8b8'],
  ['#ddc8f6', '#5b2a94'],
  ['#5c2d8c', '#e9defc'],
  ['#f5c6e4', '#8a1a63'],
  ['#8b1f62', '#ffdcef'],
  ['#2b2a27', '#f0b429'],
  ['#2b2a27', '#7fd1ae'],
  ['#e6e3da', '#c2410c'],
  ['#e6e3da', '#1d4ed8'],
] as const

const ARC_STEPS = 12

/** The corner of a square with sides of 1, or a part of it, as far as `radius` reaches. */
const quarter = (radius: number): Point[] => [
  [0, 0],
  ...Array.from({ length: ARC_STEPS + 1 }, (_, step): Point => {
    const angle = ((Math.PI / 2) * step) / ARC_STEPS
    return [radius * Math.cos(angle), radius * Math.sin(angle)]
  }),
]
const disc: Point[] = Array.from({ length: 4 * ARC_STEPS }, (_, step): Point => {
  const angle = ((Math.PI / 2) * step) / ARC_STEPS
  return [0.5 + 0.36 * Math.cos(angle), 0.5 + 0.36 * Math.sin(angle)]
})
const triangle: Point[] = [
  [0, 0],
  [1, 0],
  [0, 1],
]
const bar: Point[] = [
  [0, 0],
  [1, 0],
  [1, 0.5],
  [0, 0.5],
]
const square: Point[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
]

const turned = (shape: readonly Point[], times: number): Point[] =>
  times === 0 ? [...shape] : turned(shape, times - 1).map(([x, y]) => [1 - y, x])

/** What a quarter of the face can be: each shape in every position in which it looks different. */
const tiles: readonly (readonly Point[])[] = [
  [],
  square,
  disc,
  ...[quarter(1), quarter(0.62), triangle, bar].flatMap((shape) =>
    [0, 1, 2, 3].map((times) => turned(shape, times)),
  ),
]

/** The face of a wallet: always the same for the same address, whatever its letter case. */
export function markOf(address: string): Mark {
  const draw = drawsFrom(address.toLowerCase())
  const [ground, figure] = draw(colours)
  const polygons = [0, 1, 2, 3].flatMap((place) => {
    const tile = draw(tiles).map(([x, y]): Point => [x + (place % 2), y + Math.floor(place / 2)])
    return tile.length === 0 ? [] : [tile]
  })
  return {
    ground,
    figure,
    polygons: polygons.length === 0 ? [disc.map(([x, y]) => [2 * x, 2 * y])] : polygons,
  }
}

/** The figure as the path of an SVG picture. */
export function markPathOf({ polygons }: Mark): string {
  const place = (value: number) => Number(value.toFixed(2))
  return polygons.map((points) => `M${points.map(([x, y]) => `${place(x)} ${place(y)}`).join('L')}Z`).join('')
}

/** Picks that depend on nothing but the text, and on every letter of it. */
function drawsFrom(text: string) {
  let state = [...text].reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193),
    0x811c9dc5,
  )
  return <Choice>(choices: readonly Choice[]): Choice => {
    state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35) ^ 0x9e3779b9
    return choices[((state ^ (state >>> 16)) >>> 0) % choices.length] as Choice
  }
}
