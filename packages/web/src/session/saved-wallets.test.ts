import { expect, test } from 'vitest'
import { createSavedWallets } from './saved-wallets.ts'

function open(text: string | null = null) {
  const kept = new Map<string, string>(text === null ? [] : [['marketplace.test-wallets', text]])
  return createSavedWallets(() => ({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
  }))
}

test('wallets are kept in their order, under names that can be changed', () => {
  const wallets = open()
  wallets.add({ address: '0x1', privateKey: '0xa' })
  wallets.add({ address: '0x2', privateKey: '0xb' })
  wallets.rename('0x1', ' Paula ')
  wallets.add({ address: '0x3', privateKey: '0xc' })
  expect(wallets.list().map(({ name }) => name)).toEqual(['Paula', 'Wallet 2', 'Wallet 1'])
  expect(wallets.find('0x2')?.privateKey).toBe('0xb')
  expect(wallets.list()).toBe(wallets.list())
})

test.each(['{', '7', '[{"name":"Paula"}]'])('%s holds no wallet', (text) => {
  expect(open(text).list()).toEqual([])
})
