import { bytesToHex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ChainError } from '../errors.ts'

/** The account of a 32-byte private key: it signs in this process and sends nothing. */
export const createKeyAccount = (privateKey: Uint8Array): LocalAccount => {
  if (privateKey.length !== 32) throw new ChainError('INVALID_ARGUMENT', 'a private key has 32 bytes')
  try {
    return privateKeyToAccount(bytesToHex(privateKey))
  } catch {
    // The curve library may quote the number it refuses, so its error goes no further.
    throw new ChainError('INVALID_ARGUMENT', 'these bytes are not a private key')
  }
}
