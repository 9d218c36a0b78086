import { assertTransactionEIP1559, type Hex, type TransactionSerializableEIP1559 } from 'viem'
import { ChainError } from '../errors.ts'
import { keccak } from '../hashing/keccak.ts'

interface RawSignature {
  r: Uint8Array
  s: Uint8Array
  yParity: number
}

const TYPE = Buffer.of(0x02)
const NO_ACCESS_LIST = Buffer.of(0xc0)
const NOTHING = Buffer.alloc(0)

/**
 * Signs a transaction of type 2 without an access list, as viem would, byte for byte. The fields are encoded once, as bytes:
 * what is signed and what is sent begin with the same ones.
 */
export const signDynamicFee = (
  transaction: TransactionSerializableEIP1559,
  sign: (hash: Uint8Array) => RawSignature,
): Hex => {
  assertTransactionEIP1559(transaction)
  const { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas, to, value, data } = transaction
  const fields = Buffer.concat([
    ...[chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas].map(encodeNumber),
    encodeBytes(bytesOf(to ?? '0x')),
    encodeNumber(value),
    encodeBytes(bytesOf(data ?? '0x')),
    NO_ACCESS_LIST,
  ])
  const { r, s, yParity } = sign(keccak(asTransaction(fields)))
  const signature = [encodeNumber(yParity), encodeBytes(trimmed(r)), encodeBytes(trimmed(s))]
  return `0x${asTransaction(Buffer.concat([fields, ...signature])).toString('hex')}`
}

const asTransaction = (fields: Buffer): Buffer =>
  Buffer.concat([TYPE, lengthPrefix(0xc0, fields.length), fields])

/** The prefix of RLP: a short length is added to its first byte, a longer one follows it. */
const lengthPrefix = (base: number, length: number): Buffer => {
  if (length <= 55) return Buffer.of(base + length)
  const size = numberBytes(length)
  return Buffer.concat([Buffer.of(base + 55 + size.length), size])
}

const encodeBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.length === 1 && Number(bytes[0]) < 0x80
    ? bytes
    : Buffer.concat([lengthPrefix(0x80, bytes.length), bytes])

const encodeNumber = (value: number | bigint | undefined): Uint8Array =>
  encodeBytes(value ? numberBytes(value) : NOTHING)

const numberBytes = (value: number | bigint): Buffer => {
  const digits = value.toString(16)
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
}

const trimmed = (word: Uint8Array): Uint8Array => {
  const start = word.findIndex((byte) => byte !== 0)
  return start === -1 ? NOTHING : word.subarray(start)
}

/** Decoding stops without an error at the first digit that is none: the length shows it. */
const bytesOf = (hex: Hex): Buffer => {
  const bytes = Buffer.from(hex.slice(2), 'hex')
  if (bytes.length * 2 !== hex.length - 2)
    throw new ChainError('INVALID_ARGUMENT', 'these are not whole bytes')
  return bytes
}
