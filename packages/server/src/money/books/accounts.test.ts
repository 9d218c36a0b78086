import { expect, test } from 'vitest'
import {
  claimedAccount,
  createAccountOf,
  escrowAccount,
  outsideAccount,
  owedAccount,
  spenderAccount,
  treasuryAccount,
  walletAccount,
} from './accounts.ts'

test('an account is spelled in one way, however its address is', () => {
  expect(
    [walletAccount, escrowAccount, owedAccount, claimedAccount].map((account) => account('0xAb')),
  ).toEqual(['wallet:0xab', 'escrow:0xab', 'owed:0xab', 'claimed:0xab'])
  expect([treasuryAccount(), spenderAccount()]).toEqual(['treasury', 'spender'])
  expect([outsideAccount(), outsideAccount('gas')]).toEqual(['outside:world', 'outside:gas'])
})

test('the addresses of the platform have accounts of their own, all others are wallets', () => {
  const accountOf = createAccountOf({
    contracts: { treasury: '0xAA' },
    spender: '0xBB',
  } as Parameters<typeof createAccountOf>[0])
  expect(['0xaa', '0xAA', '0xbB', '0xCC'].map(accountOf)).toEqual([
    'treasury',
    'treasury',
    'spender',
    'wallet:0xcc',
  ])
})
