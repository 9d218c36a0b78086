import { describe, expect, test } from 'vitest'
import { couldVerify, NONCE_RANDOM_LENGTH, nonceFor, SIGN_IN_STATEMENT } from './rules.ts'

const random = 'a1B2c3D4e5F6g7H8i9J0k1'

describe('a nonce', () => {
  test('names its purpose and its site, and ends in what is random', () => {
    expect(nonceFor(new URL('https://market.example.com:8443/'), random)).toBe(
      `AgentMarketplaceSignInmarketexamplecom8443${random}`,
    )
    expect(random).toHaveLength(NONCE_RANDOM_LENGTH)
  })

  test('has letters and digits only, and of a long host the first 40', () => {
    const long = nonceFor(new URL(`https://${'a-b.'.repeat(25)}com`), random)
    expect(long).toBe(`AgentMarketplaceSignIn${'ab'.repeat(20)}${random}`)
    expect(nonceFor(new URL('http://[::1]:4000'), random)).toBe(`AgentMarketplaceSignIn14000${random}`)
  })
})

test('the signer reads that nothing is paid', () => {
  expect(SIGN_IN_STATEMENT).toContain('moves no funds')
})

describe('an attempt', () => {
  const walletAddress = `0x${'aB'.repeat(20)}`
  const signature = `0x${'1f'.repeat(65)}`

  test('could verify with an address and bytes of any length', () => {
    expect(couldVerify({ walletAddress, signature })).toBe(true)
    expect(couldVerify({ walletAddress, signature: '0x00' })).toBe(true)
    expect(couldVerify({ walletAddress, signature: `0x${'AF'.repeat(400)}` })).toBe(true)
  })

  test.each([
    '',
    '0x',
    'ab'.repeat(20),
    `0x${'0'.repeat(40)}`,
    `0x${'ab'.repeat(19)}`,
    `0x${'ab'.repeat(20)}a`,
    `0x${'ag'.repeat(20)}`,
    `x0x${'ab'.repeat(20)}`,
  ])('from %s is refused', (wrong) => {
    expect(couldVerify({ walletAddress: wrong, signature })).toBe(false)
  })

  test.each(['', '0x', '0x1', '0x1f2', '1f', '0xzz', 'x0x1f', '0x1f '])(
    'signed with %s is refused',
    (wrong) => {
      expect(couldVerify({ walletAddress, signature: wrong })).toBe(false)
    },
  )
})
