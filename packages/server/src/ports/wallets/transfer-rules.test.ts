import { checksumAddress } from '@agent-marketplace/chain'
import { describe, expect, test } from 'vitest'
import type { SpendAuthorization } from './port.ts'
import { admitTransfer, isSameAddress, overLimit } from './transfer-rules.ts'

const token = { name: 'USDC', version: '2', chainId: 8453, verifyingContract: `0x${'ab'.repeat(20)}` }
const address = `0x${'cd'.repeat(20)}`
const authorization: SpendAuthorization = {
  domain: token,
  from: address,
  to: `0x${'ef'.repeat(20)}`,
  value: 10n,
  validAfter: 0n,
  validBefore: 1n,
  nonce: `0x${'12'.repeat(32)}`,
}
const admit = (given: Partial<SpendAuthorization> = {}, perTxLimitMicro?: bigint) =>
  admitTransfer({
    token,
    wallet: { address, limits: { perTxLimitMicro } },
    authorization: { ...authorization, ...given },
  })
const refusal = (reason: string) => expect.objectContaining({ code: 'FORBIDDEN', details: { reason } })
const maxUint256 = 2n ** 256n - 1n

test('a transfer of this wallet is admitted, however its addresses are spelled', () => {
  const upper = `0x${'AB'.repeat(20)}`
  const { domain, message, primaryType } = admit({
    from: `0x${'CD'.repeat(20)}`,
    domain: { ...token, verifyingContract: upper },
  })
  expect(primaryType).toBe('TransferWithAuthorization')
  expect(domain).toEqual({ ...token, verifyingContract: checksumAddress(upper) })
  expect(message).toEqual({
    from: checksumAddress(address),
    to: checksumAddress(authorization.to),
    value: 10n,
    validAfter: 0n,
    validBefore: 1n,
    nonce: authorization.nonce,
  })
})

describe('a transfer is refused', () => {
  test.each([
    { name: 'Other' },
    { version: '1' },
    { chainId: 1 },
    { verifyingContract: `0x${'aa'.repeat(20)}` },
    { verifyingContract: '' },
  ])('of another token: %o', (given) => {
    expect(() => admit({ domain: { ...token, ...given } })).toThrow(refusal('TOKEN'))
  })

  test.each([
    ['PAYER', { from: `0x${'ce'.repeat(20)}` }],
    ['PAYER', { from: '' }],
    ['PAYEE', { to: '' }],
    ['PAYEE', { to: `0x${'0'.repeat(40)}` }],
    ['PAYEE', { to: `0x${'ef'.repeat(20)}0` }],
    ['PAYEE', { to: `00x${'ef'.repeat(20)}` }],
    ['NONCE', { nonce: `0x${'12'.repeat(31)}` }],
    ['NONCE', { nonce: `0x${'12'.repeat(33)}` }],
    ['NONCE', { nonce: `x0x${'12'.repeat(32)}` }],
    ['VALUE', { value: 0n }],
    ['VALUE', { value: maxUint256 + 1n }],
    ['WINDOW', { validAfter: -1n }],
    ['WINDOW', { validAfter: 1n }],
    ['WINDOW', { validBefore: maxUint256 + 1n }],
  ])('for its %s: %o', (reason, given) => {
    expect(() => admit(given)).toThrow(refusal(reason))
  })

  test('with a sentence that says why', () => {
    const messageOf = (given: Partial<SpendAuthorization>) => {
      try {
        admit(given)
      } catch (error) {
        return (error as Error).message
      }
      return ''
    }
    expect(messageOf({ domain: { ...token, name: '' } })).toBe('This wallet only signs transfers of USDC.')
    expect(messageOf({ from: '' })).toBe('This wallet only signs transfers from itself.')
    expect(messageOf({ to: '' })).toBe('The payee is not an address that anyone has.')
    expect(messageOf({ nonce: '' })).toBe('The nonce is not 32 bytes.')
    expect(messageOf({ value: 0n })).toBe('The value is not an amount.')
    expect(messageOf({ validBefore: 0n })).toBe('The authorization is never valid.')
  })
})

test('amounts and times are taken up to what the chain can hold', () => {
  expect(admit({ value: maxUint256, validBefore: maxUint256 }).message.value).toBe(maxUint256)
  expect(admit({ value: 1n, validAfter: 1n, validBefore: 2n }).message.value).toBe(1n)
})

test('the limit of the wallet is the most that one transfer carries', () => {
  expect(admit({ value: 10n }, 10n).message.value).toBe(10n)
  expect(() => admit({ value: 11n }, 10n)).toThrow(refusal('PER_TX_LIMIT'))
  const cause = new Error('the provider said so')
  expect(overLimit(cause)).toMatchObject({
    message: 'The transfer is above the limit of the agent’s wallet.',
    cause,
  })
})

test('addresses are the same by their bytes, and nothing else is an address', () => {
  expect(isSameAddress(address, address.toUpperCase().replace('0X', '0x'))).toBe(true)
  expect(isSameAddress(address, `0x${'ce'.repeat(20)}`)).toBe(false)
  expect(isSameAddress('nowhere', 'nowhere')).toBe(false)
})
