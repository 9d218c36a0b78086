import { bytesToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { ChainError } from '../errors.ts'
import { nativeCurve } from '../signatures/nativeCurve.ts'
import { createNativeAccount } from './createNativeAccount.ts'

/** The account of a 32-byte private key: it signs in this process and sends nothing. It keeps its own copy of the key. */
export const createKeyAccount = (privateKey: Uint8Array): PrivateKeyAccount => {
  if (privateKey.length !== 32) throw new ChainError('INVALID_ARGUMENT', 'a private key has 32 bytes')
  try {
    return nativeCurve
      ? createNativeAccount(nativeCurve, privateKey)
      : privateKeyToAccount(bytesToHex(privateKey))
  } catch {
    // The curve library may quote the number it refuses, so its error goes no further.
    throw new ChainError('INVALID_ARGUMENT', 'these bytes are not a private key')
  }
}
