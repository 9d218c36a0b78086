import { Address, invalidField } from '@agent-marketplace/contract'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ReadPayment } from '../../../house/payments.ts'
import type { Hex, Payment } from '../../../ports/payments/port.ts'

const Uint = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' })
const Word = Type.String({ maxLength: 100 })

const ExactPayload = Type.Object({
  signature: Type.String({ pattern: '^0x([a-fA-F0-9]{2})+$', maxLength: 16_384 }),
  authorization: Type.Object({
    from: Address,
    to: Address,
    value: Uint,
    validAfter: Uint,
    validBefore: Uint,
    nonce: Type.String({ pattern: '^0x[a-fA-F0-9]{64}$' }),
  }),
})

const VersionTwo = Type.Object({
  x402Version: Type.Literal(2),
  accepted: Type.Object({ scheme: Word, network: Word, amount: Uint, asset: Address, payTo: Address }),
  payload: ExactPayload,
})
const VersionOne = Type.Object({
  x402Version: Type.Literal(1),
  scheme: Word,
  network: Word,
  payload: ExactPayload,
})

const versionTwo = Compile(VersionTwo)
const versionOne = Compile(VersionOne)

/** The networks of version 1 have names of their own. */
const networksOfVersionOne: Record<string, string> = { base: 'eip155:8453', 'base-sepolia': 'eip155:84532' }

/** Undefined when it is no x402 payment by EIP-3009 authorization. */
export function readPayload(value: unknown): ReadPayment | undefined {
  if (versionTwo.Check(value)) {
    const { scheme, network, amount, asset, payTo } = value.accepted
    return { accepted: { scheme, network, amount, asset, payTo }, payment: toPayment(value.payload) }
  }
  if (versionOne.Check(value)) {
    const network = networksOfVersionOne[value.network] ?? value.network
    return { accepted: { scheme: value.scheme, network }, payment: toPayment(value.payload) }
  }
  return undefined
}

function toPayment({ signature, authorization }: Static<typeof ExactPayload>): Payment {
  return {
    payer: authorization.from as Hex,
    payTo: authorization.to as Hex,
    amountMicro: BigInt(authorization.value),
    validAfter: BigInt(authorization.validAfter),
    validBefore: BigInt(authorization.validBefore),
    nonce: authorization.nonce as Hex,
    signature: signature as Hex,
  }
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Reads PAYMENT-SIGNATURE, or X-PAYMENT of version 1. Undefined without either; garbage is refused. */
export function readPaymentHeader(headers: Record<string, unknown>): ReadPayment | undefined {
  const name = headers['payment-signature'] === undefined ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE'
  const text = headers[name.toLowerCase()]
  if (text === undefined) return undefined
  const read = typeof text === 'string' && base64.test(text) ? readPayload(parseJson(text)) : undefined
  if (!read) throw invalidField(name, 'is not an x402 payment by EIP-3009 authorization as base64 JSON')
  return read
}

function parseJson(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}
