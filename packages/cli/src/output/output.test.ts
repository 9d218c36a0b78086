import { expect, test } from 'vitest'
import { amountFrom, readable } from './amounts.ts'
import { oneLine, printable, printableJson } from './printable.ts'
import { drawTable } from './table.ts'

const CLEAR = '\u001b[2J'
const C1_CLEAR = '\u009b2J'

test('a name that would clear the screen or turn the text around is shown, and does neither', () => {
  expect(printable(`a${CLEAR}b${C1_CLEAR}c\u202ed\r\ne\tf`)).toBe('a\ufffd[2Jb\ufffd2Jc\ufffdd\ne\tf')
  expect(printable('a\u200fb\u2028c\u061cd')).toBe('a\ufffdb\ufffdc\ufffdd')
  expect(oneLine('  two\n lines ')).toBe('two lines')
  expect(oneLine('12345', 4)).toBe('123…')
})

test('JSON holds the same values and no control', () => {
  const value = { name: `a${C1_CLEAR}`, text: `b${CLEAR}\n\u202e` }
  const text = printableJson(value)
  expect(JSON.parse(text)).toEqual(value)
  for (const control of ['\u001b', '\u009b', '\u202e']) expect(text).not.toContain(control)
})

test('a table is as wide as it needs to be, and each row is one line', () => {
  const rows = [
    ['Lärk', '7'],
    ['two\nlines', '12'],
  ]
  expect(drawTable(['NAME', 'N'], rows)).toBe(['NAME       N', 'Lärk       7', 'two lines  12'].join('\n'))
})

test('amounts are shown exactly, and read strictly', () => {
  expect([readable('12500000'), readable(1n), readable('0')]).toEqual(['12.50', '0.000001', '0.00'])
  expect(amountFrom('12.5', '--price')).toBe(12_500_000n)
  for (const wrong of ['', '-1', '1e3', '12,50', '0', '0x10', '1.0000001'])
    expect(() => amountFrom(wrong, '--price')).toThrow('--price takes an amount in USDC')
})
