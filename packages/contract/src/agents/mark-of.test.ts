import { expect, test } from 'vitest'
import { type Mark, markOf, markPathOf, type Point } from './mark-of.ts'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

test('one address has one face, in any letter case', () => {
  expect(markOf(address)).toEqual(markOf(address))
  expect(markOf(address.toLowerCase())).toEqual(markOf(address))
})

test('it is drawn inside of its square, and never empty', () => {
  for (const wallet of neighbours(500)) {
    const mark = markOf(wallet)
    const places = mark.polygons.flat(2)
    expect(Math.min(...places)).toBeGreaterThan(-1e-9)
    expect(Math.max(...places)).toBeLessThan(2 + 1e-9)
    expect(markPathOf(mark)).toMatch(/^(M[\d. ]+(L[\d. ]+)+Z)+$/)
  }
})

test.each([
  ['the wallets of a market', () => marketWallets],
  ['neighbouring addresses', () => neighbours(40)],
])('no two faces of 40 look alike: %s', (_, wallets) => {
  const faces = wallets().map((wallet) => ({ wallet, pixels: drawn(markOf(wallet)) }))
  const alike = faces.flatMap((one, index) =>
    faces
      .slice(index + 1)
      .filter((other) => difference(one.pixels, other.pixels) < 0.2)
      .map((other) => `${one.wallet} and ${other.wallet}`),
  )
  expect(faces).toHaveLength(40)
  expect(alike).toEqual([])
})

test('ground and figure stand out from each other', () => {
  for (const wallet of neighbours(500)) {
    const { ground, figure } = markOf(wallet)
    const [light, dark] = [luminance(ground), luminance(figure)].sort((a, b) => b - a) as [number, number]
    expect((light + 0.05) / (dark + 0.05), `${ground} ${figure}`).toBeGreaterThan(4)
  }
})

/** As 40 agents of a sandbox have them. */
const marketWallets = `
0xE1Cf0964207223a1e8df46c9372e1Cab04159932
0x72CCf55590c3ddA722b4C56d54c20bF508DbA2a4
0xC171746643d10507F7e9F8CAdee4A5C324af6770
0xC0b4249EFaBd8d8542c4EDF564502466623b4513
0x475c6018f419F4C36e28e8b00AE4104bbAa3E02d
0x487fF61aBF78Eb926142CE63Af2C064ff7b050A9
0xaED742Fcc2CE7EEd2dB9d499BCEe435BDf15B3AA
0x90DF5CEfC5c896191E024A73C8DA09985235269c
0x306CBA467F6552B21BE482a9f5C01C5554604FF1
0xCb649076ec526fC34B272974af4F3dACf869f837
0x034D85315a1e0609888F7D2C88D989cdc5c054c1
0x97f1180AC19ED6614EC88f46C52617953BB59191
0x3Ce3dBBa94B9fAaD16615222c7cB998da4225927
0x23a99BD180db97994fd232D6bDc8FEbfF5a0a6D7
0xE30Aa08509c1d14D34d2dfA162b9e61294d727bF
0x5119F31E6cC629267eC10D378A7b294Bd47F9d73
0xBb651cb40BCcCA334B98feb4F3F85800eB87E93F
0x7deFF45d381481f9A62765FD0f5206C0610d83F2
0x24ed6dA2811293128657E89D94d522b92098a3E7
0x2336251a12B868F13D9790d73B7A2ec624E760B1
0x7B384596E64619A4a9a307B823a02770aee3b690
0x07AaF5Ed49F53F1a9225a7e366A6Ba730295Ace9
0x5E794c00F848D94F769060adf5bD51A9C7B89F26
0x69447EDfa132688B7B5c020D6bCb9A1C71676B4a
0x5a2795e99CfC8Ae8EfA3f275E5497E84F4F84eAe
0x3dBa34867e2d1866E43611C6B9594169a0aE804D
0xaEC764dA97f8434f566fE807441344bE529510B5
0x7BB98eadB2A3D3ac90c3DbF1B93fE84e5bC164cC
0x5a1d22A9f512FBEe1179d32cF77a564E6B90EDF9
0x7392CF92780e9e9427a64Bdbe3C1F424Fc76a186
0xf67B44Ae25F95106d6A3829C2E5B98d8d2c15Ea1
0xbeCb3676067c4490D16BAC97e62a6eAB508D12dF
0xab8F22AA60Ee498E8EEADa9035e0B0b2946BcB64
0xD1070e7190C35348a6DDe8dA28AF842c46e25912
0x1C03438d0F36690633D0E8Fb23DDDb15EAb74cEf
0x49c31371cFf4b08C8e0497Cc7DB8ad44099f8ae0
0xf9b0a09AA07C4B176526C673cDb3812C63b54f33
0xab3Cb819aF2Eac2f7A14FffF451ab8DeB2F351A8
0x7c62fF3cfa381AB5275b493814Adb33A055eC885
0x899cAF9cB8F67D8304E7f0D377d34d61cC75bCc4
`
  .trim()
  .split('\n')

const neighbours = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`)

const SIDE = 20
type Colour = readonly [red: number, green: number, blue: number]

/** The colours of a small picture of the face, each taken from the middle of its pixel. */
function drawn({ ground, figure, polygons }: Mark): Colour[] {
  return Array.from({ length: SIDE * SIDE }, (_, index) => {
    const at: Point = [((index % SIDE) + 0.5) / (SIDE / 2), (Math.floor(index / SIDE) + 0.5) / (SIDE / 2)]
    return colourOf(polygons.some((points) => isInside(at, points)) ? figure : ground)
  })
}

/** The share of pixels whose colours are clearly not the same. */
function difference(one: readonly Colour[], other: readonly Colour[]): number {
  const differing = one.filter((colour, index) => {
    const between = other[index] as Colour
    return Math.hypot(...colour.map((part, channel) => part - (between[channel] as number))) > 40
  })
  return differing.length / one.length
}

function isInside([x, y]: Point, points: readonly Point[]): boolean {
  return points.reduce((isIn, [x1, y1], index) => {
    const [x2, y2] = points.at(index - 1) as Point
    return y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1 ? !isIn : isIn
  }, false)
}

const colourOf = (hex: string): Colour =>
  [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16)) as unknown as Colour

function luminance(hex: string): number {
  const linear = colourOf(hex).map((part) =>
    part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  ) as unknown as Colour
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}
