import { createKeccak } from 'hash-wasm'
import type { Hex } from 'viem'

const hasher = await createKeccak(256)

/** The same hash as viem's `keccak256`, in a tenth of the time. */
export const keccak = (bytes: Uint8Array): Buffer => Buffer.from(hasher.init().update(bytes).digest('binary'))

/** Of bytes written as hex, which Node decodes faster than viem. */
export const keccakOfHex = (hex: Hex): Hex =>
  `0x${hasher
    .init()
    .update(Buffer.from(hex.slice(2), 'hex'))
    .digest('hex')}`
