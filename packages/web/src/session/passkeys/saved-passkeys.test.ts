import { expect, test } from 'vitest'
import { createSavedPasskeys } from './saved-passkeys.ts'

function open(text: string | null = null) {
  const kept = new Map<string, string>(text === null ? [] : [['marketplace.passkeys', text]])
  return createSavedPasskeys(() => ({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  }))
}

test('passkeys are kept in their order, found by their wallet in any spelling, each under a name of its own', () => {
  const passkeys = open()
  for (const address of ['0xAb', '0xCd'])
    passkeys.add({ name: passkeys.nextName(), address, credentialId: 'id', publicKey: '0x' })
  expect(passkeys.list().map(({ name }) => name)).toEqual(['Passkey 1', 'Passkey 2'])
  expect(passkeys.find('0xaB')?.name).toBe('Passkey 1')
})

test('a passkey without a wallet is kept until it has one', () => {
  const passkeys = open()
  expect(passkeys.unfinished()).toBeUndefined()
  const passkey = { name: passkeys.nextName(), credentialId: 'id', publicKey: '0x' }
  passkeys.keepUnfinished(passkey)
  expect(passkeys.unfinished()).toEqual(passkey)
  expect(passkeys.list()).toEqual([])
  passkeys.add({ ...passkey, address: '0xAb' })
  expect(passkeys.unfinished()).toBeUndefined()
  expect(passkeys.list()).toHaveLength(1)
})

test.each(['{', '7', '[{"name":"Passkey 1","address":"0x1"}]'])('%s holds no passkey', (text) => {
  expect(open(text).list()).toEqual([])
})
