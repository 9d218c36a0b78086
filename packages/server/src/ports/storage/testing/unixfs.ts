import { createHash } from 'node:crypto'

/**
 * UnixFS files written out by hand from the IPFS specifications: a second opinion on the CIDs of the importer library.
 * It knows what `ipfs add --cid-version 1` uses: fixed blocks, raw leaves, the balanced layout.
 */
export const cidByHand = (bytes: Uint8Array, layout: Layout = {}): string =>
  `b${base32(rootOf(bytes, layout).cid)}`

/** The size of the file with the nodes that link its blocks. */
export const dagBytesByHand = (bytes: Uint8Array): number => Number(rootOf(bytes, {}).totalSize)

interface Layout {
  blockSize?: number
  maxLinks?: number
}

function rootOf(bytes: Uint8Array, { blockSize = 262_144, maxLinks = 174 }: Layout): Node {
  let level: Node[] = []
  for (let start = 0; start === 0 || start < bytes.length; start += blockSize) {
    const block = bytes.subarray(start, start + blockSize)
    level.push({
      cid: cidBytes(0x55, block),
      fileSize: BigInt(block.length),
      totalSize: BigInt(block.length),
    })
  }
  for (;;) {
    const [root, ...others] = level
    if (root && others.length === 0) return root
    const parents: Node[] = []
    for (let start = 0; start < level.length; start += maxLinks)
      parents.push(parentOf(level.slice(start, start + maxLinks)))
    level = parents
  }
}

interface Node {
  cid: Buffer
  /** Bytes of the file below this node. */
  fileSize: bigint
  /** Bytes of all blocks of this node and below. */
  totalSize: bigint
}

function parentOf(children: readonly Node[]): Node {
  const fileSize = children.reduce((sum, child) => sum + child.fileSize, 0n)
  const links = children.map(({ cid, totalSize }) =>
    field(2, Buffer.concat([field(1, cid), field(2, Buffer.alloc(0)), number(3, totalSize)])),
  )
  const unixFsFile = Buffer.concat([
    number(1, 2n),
    number(3, fileSize),
    ...children.map((child) => number(4, child.fileSize)),
  ])
  const block = Buffer.concat([...links, field(1, unixFsFile)])
  const below = children.reduce((sum, child) => sum + child.totalSize, 0n)
  return { cid: cidBytes(0x70, block), fileSize, totalSize: below + BigInt(block.length) }
}

/** Version 1, codec, sha2-256, 32 bytes of digest. */
function cidBytes(codec: number, block: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([1, codec, 0x12, 32]), createHash('sha256').update(block).digest()])
}

/** Protobuf: a field of bytes, and a field that is a number. */
const field = (id: number, bytes: Uint8Array) =>
  Buffer.concat([Buffer.from([id * 8 + 2]), varint(BigInt(bytes.length)), bytes])
const number = (id: number, value: bigint) => Buffer.concat([Buffer.from([id * 8]), varint(value)])

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) + 128)
  return Buffer.from([...bytes, Number(rest)])
}

function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = 'abcdefghijklmnopqrstuvwxyz234567'
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => letters.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
    .join('')
}
