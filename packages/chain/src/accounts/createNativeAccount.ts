import {
  bytesToHex,
  type Hex,
  hashMessage,
  hashTypedData,
  hexToBytes,
  keccak256,
  type Signature,
  serializeTransaction,
} from 'viem'
import { type PrivateKeyAccount, publicKeyToAddress } from 'viem/accounts'
import { hashAuthorization } from 'viem/utils'
import type { NativeCurve } from '../signatures/nativeCurve.ts'

/**
 * The same account as viem's, with the curve's arithmetic done natively: deterministic nonces (RFC 6979) and the lower
 * twin of s, so the signatures are equal byte for byte. Throws when the bytes are no private key.
 */
export const createNativeAccount = (curve: NativeCurve, privateKey: Uint8Array): PrivateKeyAccount => {
  const key = Uint8Array.from(privateKey)
  const publicKey = bytesToHex(curve.publicKeyCreate(key, false))

  const signHash = (hash: Hex): Signature => {
    const { signature, recid } = curve.ecdsaSign(hexToBytes(hash), key)
    const r = bytesToHex(signature.subarray(0, 32))
    const s = bytesToHex(signature.subarray(32))
    return recid & 1 ? { r, s, v: 28n, yParity: 1 } : { r, s, v: 27n, yParity: 0 }
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
      // The sidecars of a blob transaction travel beside what is signed.
      const signed = transaction.type === 'eip4844' ? { ...transaction, sidecars: false } : transaction
      return serializer(transaction, signHash(keccak256(await serializer(signed))))
    },
    signAuthorization: async ({ chainId, nonce, ...authorization }) => {
      const address = authorization.contractAddress ?? authorization.address
      return { address, chainId, nonce, ...signHash(hashAuthorization({ address, chainId, nonce })) }
    },
  }
}
