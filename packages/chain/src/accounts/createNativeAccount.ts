import {
  bytesToHex,
  type Hex,
  hashMessage,
  hashTypedData,
  hexToBytes,
  type Signature,
  serializeTransaction,
} from 'viem'
import { type PrivateKeyAccount, publicKeyToAddress } from 'viem/accounts'
import { hashAuthorization } from 'viem/utils'
import { keccakOfHex } from '../hashing/keccak.ts'
import type { NativeCurve } from '../signatures/nativeCurve.ts'
import { signDynamicFee } from './signDynamicFee.ts'

/**
 * The same account as viem's, with the curve's arithmetic done natively: deterministic nonces (RFC 6979) and the lower
 * twin of s, so the signatures are equal byte for byte. Throws when the bytes are no private key.
 */
export const createNativeAccount = (curve: NativeCurve, privateKey: Uint8Array): PrivateKeyAccount => {
  const key = Uint8Array.from(privateKey)
  const publicKey = bytesToHex(curve.publicKeyCreate(key, false))

  const signBytes = (hash: Uint8Array) => {
    const { signature, recid } = curve.ecdsaSign(hash, key)
    return { r: signature.subarray(0, 32), s: signature.subarray(32), yParity: recid & 1 }
  }
  const signHash = (hash: Hex): Signature => {
    const signed = signBytes(hexToBytes(hash))
    const r = bytesToHex(signed.r)
    const s = bytesToHex(signed.s)
    return signed.yParity ? { r, s, v: 28n, yParity: 1 } : { r, s, v: 27n, yParity: 0 }
  }
  const signToHex = (hash: Hex): Hex => {
    const { r, s, yParity } = signHash(hash)
    return `${r}${s.slice(2)}${yParity ? '1c' : '1b'}`
  }

  return {
    type: 'local',
    source: 'privateKey',
    publicKey,
    address: publicKeyToAddress(publicKey),
    sign: async ({ hash }) => signToHex(hash),
    signMessage: async ({ message }) => signToHex(hashMessage(message)),
    signTypedData: async (typedData) => signToHex(hashTypedData(typedData)),
    signTransaction: async (transaction, { serializer = serializeTransaction } = {}) => {
      const isPlain = transaction.type === 'eip1559' && !transaction.accessList?.length
      if (isPlain && (serializer as unknown) === serializeTransaction)
        return signDynamicFee(transaction, signBytes) as never
      // The sidecars of a blob transaction travel beside what is signed.
      const signed = transaction.type === 'eip4844' ? { ...transaction, sidecars: false } : transaction
      return serializer(transaction, signHash(keccakOfHex(await serializer(signed))))
    },
    signAuthorization: async ({ chainId, nonce, ...authorization }) => {
      const address = authorization.contractAddress ?? authorization.address
      return { address, chainId, nonce, ...signHash(hashAuthorization({ address, chainId, nonce })) }
    },
  }
}
