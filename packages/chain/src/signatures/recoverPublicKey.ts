import { createRequire } from 'node:module'
import { bytesToHex, hexToBytes, recoverPublicKey as recoverWithViem } from 'viem'

/** Recovers the uncompressed public key (65 bytes) behind a 64-byte `r || s` signature of a 32-byte hash; throws when there is none. */
export type RecoverPublicKey = (parameters: {
  hash: Uint8Array
  compactSignature: Uint8Array
  recoveryBit: 0 | 1
}) => Uint8Array | Promise<Uint8Array>

type NativeSecp256k1 = Pick<typeof import('secp256k1'), 'ecdsaRecover'>

// The package's main entry falls back to a JavaScript curve that is no faster than viem's, so the
// native binding is asked for by name: either it loads, or viem does the work.
const loadNative = (): NativeSecp256k1 | undefined => {
  try {
    return createRequire(import.meta.url)('secp256k1/bindings.js')
  } catch {
    return undefined
  }
}

const native = loadNative()

/** libsecp256k1, or undefined on a platform without a prebuilt binary. */
export const recoverPublicKeyNatively: RecoverPublicKey | undefined = native
  ? ({ hash, compactSignature, recoveryBit }) =>
      native.ecdsaRecover(compactSignature, recoveryBit, hash, false)
  : undefined

export const recoverPublicKeyInJavaScript: RecoverPublicKey = async ({
  hash,
  compactSignature,
  recoveryBit,
}) => {
  const signature = new Uint8Array(65)
  signature.set(compactSignature)
  signature[64] = recoveryBit
  return hexToBytes(await recoverWithViem({ hash: bytesToHex(hash), signature }))
}
