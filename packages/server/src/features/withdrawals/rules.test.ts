import { expect, test } from 'vitest'
import {
  authorizationNonceOf,
  failureInWords,
  intentKeyOf,
  laneOf,
  MAX_ATTEMPTS,
  verdictOf,
} from './rules.ts'

test('a withdrawal has one nonce forever, and no other has it', () => {
  expect(authorizationNonceOf('a')).toMatch(/^0x[0-9a-f]{64}$/)
  expect(authorizationNonceOf('a')).toBe(authorizationNonceOf('a'))
  expect(authorizationNonceOf('a')).not.toBe(authorizationNonceOf('b'))
})

test('every attempt is an intent of its own, and refunds of a wallet share a lane', () => {
  expect([intentKeyOf('a', 1), intentKeyOf('a', 2)]).toEqual(['withdrawal:a:1', 'withdrawal:a:2'])
  expect(laneOf('wallet', 'job')).toEqual({ lane: 'refund:wallet' })
  expect(laneOf('wallet', null)).toEqual({})
})

test.each([
  ['FiatTokenV2: authorization is expired', 1, 'again'],
  ['GIVEN_UP', MAX_ATTEMPTS - 1, 'again'],
  ['REVERTED', 1, 'again'],
  ['GIVEN_UP', MAX_ATTEMPTS, 'failed'],
  ['FiatTokenV2: authorization is used or canceled', 1, 'moved'],
  ['Pausable: paused', 1, 'failed'],
  ['Blacklistable: account is blacklisted', 1, 'failed'],
  ['ERC20: transfer amount exceeds balance', 1, 'failed'],
  ['NEVER_GIVEN_UP', 1, 'failed'],
  ['0xdeadbeef', 1, 'failed'],
] as const)('%s after %i attempts means %s', (reason, attempts, verdict) => {
  expect(verdictOf(reason, attempts)).toBe(verdict)
})

test.each([
  ['Pausable: paused', 'paused by its issuer'],
  ['Blacklistable: account is blacklisted', 'blocked'],
  ['ERC20: transfer amount exceeds balance', 'holds less'],
  ['WALLET_REFUSED', 'refused to sign'],
  ['PAYMENT_GONE', 'no longer on the chain'],
  ['GIVEN_UP', 'in time'],
  ['0x08c379a0', 'The chain refused'],
])('%s is said in plain words', (reason, words) => {
  const said = failureInWords(reason)
  expect(said).toContain(words)
  expect(said).toMatch(/Nothing has left the wallet\.$/)
  expect(said).not.toContain('0x')
})
