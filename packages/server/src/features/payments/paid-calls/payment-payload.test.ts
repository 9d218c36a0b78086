import { describe, expect, test } from 'vitest'
import { mismatchOf } from './offers.ts'
import { readPayload, readPaymentHeader } from './payment-payload.ts'

const authorization = {
  from: `0x${'a1'.repeat(20)}`,
  to: `0x${'b2'.repeat(20)}`,
  value: '2500000',
  validAfter: '0',
  validBefore: '1794823200',
  nonce: `0x${'c3'.repeat(32)}`,
}
const payload = { signature: `0x${'5c'.repeat(65)}`, authorization }
const accepted = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '2500000',
  asset: `0x${'d4'.repeat(20)}`,
  payTo: authorization.to,
  maxTimeoutSeconds: 300,
  extra: {},
}
const versionTwo = { x402Version: 2, accepted, payload }
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

test('version 2 says all that was accepted', () => {
  expect(readPayload(versionTwo)).toEqual({
    accepted: {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '2500000',
      asset: accepted.asset,
      payTo: accepted.payTo,
    },
    payment: {
      payer: authorization.from,
      payTo: authorization.to,
      amountMicro: 2_500_000n,
      validAfter: 0n,
      validBefore: 1_794_823_200n,
      nonce: authorization.nonce,
      signature: payload.signature,
    },
  })
})

test('version 1 names its networks in words', () => {
  const read = readPayload({ x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload })
  expect(read?.accepted).toEqual({ scheme: 'exact', network: 'eip155:84532' })
})

describe('what is no payment', () => {
  test.each([
    null,
    [],
    'text',
    { ...versionTwo, x402Version: 3 },
    { x402Version: 2, payload },
    { ...versionTwo, payload: { ...payload, signature: '0x5' } },
    { ...versionTwo, payload: { ...payload, authorization: { ...authorization, value: '1e3' } } },
    { ...versionTwo, payload: { ...payload, authorization: { ...authorization, value: 2_500_000 } } },
    { ...versionTwo, payload: { ...payload, authorization: { ...authorization, nonce: '0x01' } } },
    { ...versionTwo, payload: { signature: payload.signature, permit2Authorization: {} } },
  ])('%j', (value) => {
    expect(readPayload(value)).toBeUndefined()
    expect(() => readPaymentHeader({ 'payment-signature': encode(value) })).toThrow('is not an x402 payment')
  })

  test('a header that comes twice or is not base64', () => {
    expect(() => readPaymentHeader({ 'payment-signature': ['a', 'b'] })).toThrow('PAYMENT-SIGNATURE')
    expect(() => readPaymentHeader({ 'x-payment': '{}' })).toThrow('X-PAYMENT')
  })

  test('no header is no error', () => {
    expect(readPaymentHeader({})).toBeUndefined()
  })
})

test('an accepted offer is compared without letter case, and its time limit is left to the chain', () => {
  const offer = { ...accepted, network: 'eip155:8453' as const }
  const shouted = {
    ...accepted,
    payTo: accepted.payTo.toUpperCase().replace('0X', '0x'),
    maxTimeoutSeconds: 1,
  }
  expect(mismatchOf(shouted, offer)).toBeUndefined()
  expect(mismatchOf({ ...accepted, amount: '2500001' }, offer)).toMatch(/value_mismatch/)
  expect(mismatchOf({ scheme: 'exact', network: 'eip155:1' }, offer)).toBe('invalid_network')
})
