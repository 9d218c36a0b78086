import { expect, test } from 'vitest'
import { isSameWallet, parseWallet, type Wallet, walletName } from './wallet.ts'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

test.each<Wallet>([
  { kind: 'injected', rdns: 'io.example', name: 'Example', address },
  { kind: 'test', role: 'seller', address },
  { kind: 'saved', name: 'Paula', address },
])('$kind survives storage', (wallet) => {
  expect(parseWallet(JSON.stringify(wallet))).toEqual(wallet)
  expect(walletName(wallet)).not.toBe('')
})

test.each([
  null,
  '',
  '{',
  '7',
  '{"kind":"saved"}',
  '{"kind":"saved","name":"Paula","address":"0x12"}',
  `{"kind":"saved","address":"${address}"}`,
  `{"kind":"test","role":"king","address":"${address}"}`,
  `{"kind":"injected","address":"${address}"}`,
])('%s is no wallet', (text) => {
  expect(parseWallet(text)).toBeUndefined()
})

test('a wallet is the same by its account and the way to it', () => {
  const phone: Wallet = { kind: 'remote', via: 'walletConnect', name: 'Pocket Wallet', address }
  expect(isSameWallet(phone, { ...phone, name: 'Other', address: address.toLowerCase() })).toBe(true)
  expect(isSameWallet(phone, { ...phone, via: 'coinbase' })).toBe(false)
  expect(isSameWallet(phone, { ...phone, address: `0x${'1'.repeat(40)}` })).toBe(false)
  expect(isSameWallet(phone, { kind: 'saved', name: 'Pocket Wallet', address })).toBe(false)
})
