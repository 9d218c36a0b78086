import { MarketplaceError } from '@agent-marketplace/sdk'
import { expect, test } from 'vitest'
import { WalletError } from '../../session/wallet-error.ts'
import { plainError } from './errors.ts'

test('a known code is said in plain words, with its request id', () => {
  const error = new MarketplaceError('INSUFFICIENT_BALANCE', { message: 'no', requestId: 'r1' })
  expect(plainError(error)).toEqual({
    title: 'Your wallet does not hold enough USDC.',
    advice: 'Nothing was charged. Add funds and try again.',
    requestId: 'r1',
    canRetry: false,
  })
})

test('where the service says more, its words are shown', () => {
  const error = new MarketplaceError('FORBIDDEN', { message: 'This account is suspended.' })
  expect(plainError(error).title).toBe('This account is suspended.')
})

test('a refusal is calm, and a wallet’s own problem is named', () => {
  expect(plainError({ code: 4001 }).title).toBe('You did not sign.')
  expect(plainError(new WalletError('OTHER_CHAIN', 'Wrong network.')).title).toBe('Wrong network.')
})

test('nothing internal is shown of what is not known', () => {
  expect(plainError(new TypeError('x is undefined')).title).toBe('This page ran into a problem.')
})
