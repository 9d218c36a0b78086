import { type Static, Type } from 'typebox'
import { Address, FreeObject, TxHash } from '../base/shapes.ts'

/** Things that a wallet signs, and what it hands back. */

export const TypedData = Type.Object(
  {
    domain: Type.Object({
      name: Type.String({ examples: ['USD Coin'] }),
      version: Type.String({ examples: ['2'] }),
      chainId: Type.Integer({ examples: [8453] }),
      verifyingContract: Address,
    }),
    types: Type.Record(Type.String(), Type.Array(Type.Object({ name: Type.String(), type: Type.String() }))),
    primaryType: Type.String({ examples: ['ReceiveWithAuthorization'] }),
    message: FreeObject,
  },
  { title: 'TypedData', description: 'EIP-712 typed data, ready for `eth_signTypedData_v4`.' },
)
export type TypedData = Static<typeof TypedData>

const Uint256 = Type.String({
  pattern: '^(0|[1-9][0-9]{0,77})$',
  description: 'An unsigned number as a decimal string.',
  examples: ['0'],
})

export const TransferAuthorization = Type.Object(
  {
    from: Address,
    to: Address,
    value: Uint256,
    validAfter: Uint256,
    validBefore: Uint256,
    nonce: Type.String({ ...TxHash, description: '32 bytes as 0x-prefixed hex.' }),
  },
  {
    title: 'TransferAuthorization',
    description: 'An EIP-3009 authorization: the `message` of the typed data that was signed.',
  },
)
export type TransferAuthorization = Static<typeof TransferAuthorization>

const exampleSignature = `0x${'5c'.repeat(64)}1b`

export const Signature = Type.String({
  pattern: '^0x[a-fA-F0-9]+$',
  maxLength: 20_000,
  examples: [exampleSignature],
  description: 'A signature by a plain wallet or a smart account (ERC-1271, ERC-6492), as 0x-prefixed hex.',
})

export const SignedAuthorization = Type.Object(
  { authorization: TransferAuthorization, signature: Signature },
  { title: 'SignedAuthorization' },
)
export type SignedAuthorization = Static<typeof SignedAuthorization>

export const exampleSignedAuthorization = {
  authorization: {
    from: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    value: '150000000',
    validAfter: '0',
    validBefore: '1794823200',
    nonce: '0x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  signature: exampleSignature,
}
