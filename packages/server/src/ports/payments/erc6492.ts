import type { Hex } from './port.ts'

/** A signature of an account that may not be deployed yet, with the call that deploys it (ERC-6492). */
export interface WrappedSignature {
  factory: Hex
  factoryData: Hex
  signature: Hex
}

const MAGIC = '6492'.repeat(16)
const WORD = 64

/** The parts of a wrapped signature; undefined when it is a plain one. */
export function unwrapSignature(signature: Hex): WrappedSignature | undefined {
  if (!signature.toLowerCase().endsWith(MAGIC)) return undefined
  const body = signature.slice(2, -WORD)
  const factoryData = bytesAt(body, 1)
  const inner = bytesAt(body, 2)
  if (factoryData === undefined || inner === undefined) return undefined
  return { factory: `0x${body.slice(24, WORD)}`, factoryData, signature: inner }
}

/** The address that a call returned, in lower case; undefined when that was something else. */
export const addressIn = (returned: Hex | undefined): Hex | undefined =>
  returned && /^0x0{24}[0-9a-f]{40}$/i.test(returned) ? `0x${returned.slice(-40).toLowerCase()}` : undefined

/** The bytes whose place stands in the given word of an ABI-encoded tuple. */
function bytesAt(body: string, word: number): Hex | undefined {
  const start = numberAt(body, word * WORD) * 2
  const length = numberAt(body, start) * 2
  const bytes = body.slice(start + WORD, start + WORD + length)
  return bytes.length === length ? `0x${bytes}` : undefined
}

function numberAt(body: string, position: number): number {
  const word = body.slice(position, position + WORD)
  // Anything longer than the text itself points nowhere; so does a word that is cut off.
  return /^0{56}[0-9a-f]{8}$/i.test(word) ? Number.parseInt(word, 16) : Number.MAX_SAFE_INTEGER / 4
}
