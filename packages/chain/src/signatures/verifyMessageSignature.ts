import type { Address } from 'viem'
import { keccak } from '../hashing/keccak.ts'
import {
  type RecoverPublicKey,
  recoverPublicKeyInJavaScript,
  recoverPublicKeyNatively,
} from './recoverPublicKey.ts'

export type MessageSignature = { address: string; message: string; signature: string }

/**
 * Says whether `signature` is the EIP-191 signature of `message` by the key of the externally owned
 * account `address`. Malformed input is a "no", never an exception. The verdict equals that of viem's
 * `verifyMessage` (which accepts v as 0, 1, 27 or 28 and both twins of s, and refuses EIP-2098), at a
 * tenth of its cost where the native curve is present.
 */
export const verifyMessageSignature = (parameters: MessageSignature): Promise<boolean> =>
  verifyMessageSignatureWith(recoverPublicKeyNatively ?? recoverPublicKeyInJavaScript, parameters)

export const verifyMessageSignatureWith = async (
  recoverPublicKey: RecoverPublicKey,
  { address, message, signature }: MessageSignature,
): Promise<boolean> => {
  const parsed = parseSignature(signature)
  if (!parsed || !addressPattern.test(address)) return false
  try {
    const publicKey = await recoverPublicKey({ hash: hashMessageBytes(message), ...parsed })
    return addressOf(publicKey) === address.toLowerCase()
  } catch {
    return false
  }
}

const addressPattern = /^0x(?!0{40}$)[0-9a-fA-F]{40}$/

// A single trailing digit is the recovery bit of wallets that write v as a bare nibble.
const signaturePattern = /^0x[0-9a-fA-F]{129,130}$/

const parseSignature = (
  signature: string,
): { compactSignature: Uint8Array; recoveryBit: 0 | 1 } | undefined => {
  if (!signaturePattern.test(signature)) return undefined
  const recoveryBit = recoveryBitOf(Number.parseInt(signature.slice(130), 16))
  if (recoveryBit === undefined) return undefined
  return { compactSignature: Buffer.from(signature.slice(2, 130), 'hex'), recoveryBit }
}

const recoveryBitOf = (v: number): 0 | 1 | undefined => {
  if (v === 0 || v === 27) return 0
  if (v === 1 || v === 28) return 1
  return undefined
}

const hashMessageBytes = (message: string): Uint8Array => {
  const body = Buffer.from(message, 'utf8')
  const prefix = Buffer.from(`\u0019Ethereum Signed Message:\n${body.length}`, 'utf8')
  return keccak(Buffer.concat([prefix, body]))
}

const addressOf = (publicKey: Uint8Array): Address => `0x${keccak(publicKey.subarray(1)).toString('hex', 12)}`
