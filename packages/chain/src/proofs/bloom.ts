import { type Hex, hexToBytes } from 'viem'
import { keccak } from '../hashing/keccak.ts'

const BLOOM_BYTES = 256

/** The three bits that an address or a topic sets in the bloom filter of its block. */
export type BloomBits = readonly { byte: number; mask: number }[]

export const bloomBitsOf = (value: Hex): BloomBits => {
  const hash = keccak(hexToBytes(value))
  return [0, 2, 4].map((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047
    return { byte: BLOOM_BYTES - 1 - (bit >> 3), mask: 1 << (bit & 7) }
  })
}

/** False when the block has certainly no log with it; true when it may. */
export const isInBloom = (bloom: Uint8Array, bits: BloomBits): boolean =>
  bits.every(({ byte, mask }) => ((bloom[byte] ?? 0) & mask) !== 0)
