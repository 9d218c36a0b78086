import { createHash } from 'node:crypto'
import { Address, invalidField } from '@agent-marketplace/contract'
import type { PaymentRequired } from '@x402/core/types'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ReadPayment, SentPayment } from '../../../house/payments.ts'
import { networkNameOf, networkOf } from '../../../house/x402-networks.ts'
import type { Hex, Offer, Payment } from '../../../ports/payments/port.ts'

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
  extensions: Type.Optional(Type.Unknown()),
})
const Identified = Type.Object({
  'payment-identifier': Type.Object({ info: Type.Object({ id: Type.String() }) }),
})
const VersionOne = Type.Object({
  x402Version: Type.Literal(1),
  scheme: Word,
  network: Word,
  payload: ExactPayload,
})

const versionTwo = Compile(VersionTwo)
const versionOne = Compile(VersionOne)
const identified = Compile(Identified)

/** What clients of version 1 read in the body of a 402 response. They know nothing of its header. */
export function challengeOfVersionOne({ resource }: Pick<PaymentRequired, 'resource'>, offer: Offer) {
  const { scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra } = offer
  const { url, description, mimeType } = resource
  return {
    x402Version: 1,
    accepts: [
      {
        scheme,
        network: networkNameOf(network) ?? network,
        maxAmountRequired: amount,
        resource: url,
        description,
        mimeType,
        payTo,
        maxTimeoutSeconds,
        asset,
        extra,
      },
    ],
  }
}

/** Undefined when it is no x402 payment by EIP-3009 authorization. */
export function readPayload(value: unknown): ReadPayment | undefined {
  if (versionTwo.Check(value)) {
    const { scheme, network, amount, asset, payTo } = value.accepted
    const accepted = { scheme, network, amount, asset, payTo }
    return { accepted, payment: toPayment(value.payload), ...identifierIn(value.extensions) }
  }
  if (versionOne.Check(value)) {
    const accepted = { scheme: value.scheme, network: networkOf(value.network) }
    return { accepted, payment: toPayment(value.payload) }
  }
  return undefined
}

const identifierIn = (extensions: unknown) =>
  identified.Check(extensions) ? { identifier: extensions['payment-identifier'].info.id } : {}

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
export function readPaymentHeader(headers: Record<string, unknown>): SentPayment | undefined {
  const name = headers['payment-signature'] === undefined ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE'
  const text = headers[name.toLowerCase()]
  if (text === undefined) return undefined
  const value = typeof text === 'string' && base64.test(text) ? parseJson(text) : undefined
  const read = readPayload(value)
  if (!read) throw invalidField(name, 'is not an x402 payment by EIP-3009 authorization as base64 JSON')
  const extensions = versionTwo.Check(value) ? value.extensions : undefined
  return { ...read, extensions, digest: createHash('sha256').update(String(text)).digest('hex') }
}

function parseJson(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}
