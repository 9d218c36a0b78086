import { expect, test } from 'vitest'
import { comparedWallets } from './compared.ts'

const wallet = (digit: number) => `0x${String(digit).repeat(40)}`

test.each([
  [undefined, []],
  ['', []],
  [`${wallet(1)},${wallet(2)}`, [wallet(1), wallet(2)]],
  [` ${wallet(1)} ,x,0x12,`, [wallet(1)]],
  [`0x${'A'.repeat(40)},0x${'a'.repeat(40)}`, [`0x${'A'.repeat(40)}`]],
  [[1, 2, 3, 4, 5].map(wallet).join(), [1, 2, 3, 4].map(wallet)],
])('%#: takes wallets, each once, four at most', (text, wallets) => {
  expect(comparedWallets(text)).toEqual(wallets)
})
