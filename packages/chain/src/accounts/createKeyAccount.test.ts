import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createKeyAccount } from './createKeyAccount.ts'

const failureOf = (bytes: Uint8Array): unknown => {
  try {
    return createKeyAccount(bytes).address
  } catch (error) {
    return error
  }
}

test('gives the account of the key', () => {
  const one = Buffer.alloc(32)
  one.writeUInt8(1, 31)
  expect(createKeyAccount(one).address).toBe('0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf')
})

test('refuses bytes that are no key, without quoting them', () => {
  const aboveTheCurve = Buffer.alloc(32, 0xff)
  for (const bytes of [Buffer.alloc(31, 0xab), Buffer.alloc(33, 0xab), Buffer.alloc(32), aboveTheCurve]) {
    const failure = failureOf(bytes)
    expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT' })
    const shown = inspect(failure, { depth: 20, showHidden: true })
    expect(shown).not.toContain(bytes.toString('hex'))
  }
})
