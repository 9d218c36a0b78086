import { inflateSync } from 'node:zlib'

const CHANNELS = 4

export interface Picture {
  width: number
  height: number
  /** RGBA, row by row. */
  row: (y: number) => Buffer
}

/** A PNG of eight bits for each of red, green, blue and alpha, as anybody reads it. */
export function readPng(png: Buffer): Picture {
  const chunks = chunksOf(png)
  const header = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  if (header[8] !== 8 || header[9] !== 6 || header[12] !== 0) throw new Error('another kind of PNG')
  const data = inflateSync(
    Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((each) => each.data)),
  )
  const stride = width * CHANNELS
  const pixels = Buffer.alloc(stride * height)
  const at = (x: number, y: number): number => (x < 0 || y < 0 ? 0 : (pixels[y * stride + x] ?? 0))
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1)
    const filter = data[start] ?? 0
    for (let x = 0; x < stride; x += 1) {
      const [left, above, corner] = [at(x - CHANNELS, y), at(x, y - 1), y === 0 ? 0 : at(x - CHANNELS, y - 1)]
      pixels[y * stride + x] =
        ((data[start + 1 + x] ?? 0) + predict(filter, left, y === 0 ? 0 : above, corner)) & 255
    }
  }
  return { width, height, row: (y) => pixels.subarray(y * stride, (y + 1) * stride) }
}

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const chunks = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    })
    at += length + 12
  }
  return chunks
}

function predict(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  const near = [left, above, corner].map((value) => Math.abs(left + above - corner - value)) as [
    number,
    number,
    number,
  ]
  if (near[0] <= near[1] && near[0] <= near[2]) return left
  return near[1] <= near[2] ? above : corner
}
