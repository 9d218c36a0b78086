import { bytesToHex, hexToBytes, recoverPublicKey as recoverWithViem } from 'viem'
import { type NativeCurve, nativeCurve } from './nativeCurve.ts'

/** Recovers the uncompressed public key (65 bytes) behind a 64-byte `r || s` signature of a 32-byte hash; throws when there is none. */
export type RecoverPublicKey = (parameters: {
  hash: Uint8Array
  compactSignature: Uint8Array
  recoveryBit: 0 | 1
}) => Uint8Array | Promise<Uint8Array>

/** libsecp256k1, or undefined on a platform without a prebuilt binary. */
export const recoverPublicKeyNatively: RecoverPublicKey | undefined = nativeCurve && recoverWith(nativeCurve)

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

function recoverWith(curve: NativeCurve): RecoverPublicKey {
  return ({ hash, compactSignature, recoveryBit }) =>
    curve.ecdsaRecover(compactSignature, recoveryBit, hash, false)
}
