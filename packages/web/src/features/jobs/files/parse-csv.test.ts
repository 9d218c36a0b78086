import { expect, test } from 'vitest'
import { parseCsv } from './parse-csv.ts'

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['a,b\r\n', [['a', 'b']]],
  [
    '"a, ""b""",\n"two\nlines",x',
    [
      ['a, "b"', ''],
      ['two\nlines', 'x'],
    ],
  ],
  ['a,', [['a', '']]],
  ['', []],
  ['\n\n', [[''], ['']]],
])('%j', (text, rows) => {
  expect(parseCsv(text)).toEqual({ rows, isCut: false })
})

test('what does not fit is cut and said to be', () => {
  const { rows, isCut } = parseCsv('a,b\n'.repeat(1000))
  expect([rows.length, isCut]).toEqual([200, true])
  const wide = parseCsv(`${'x,'.repeat(99)}x`)
  expect([wide.rows[0]?.length, wide.isCut]).toEqual([30, true])
})

test('quotes that nobody closed are text', () => {
  expect(parseCsv('a,"b\nc').rows).toEqual([['a', '"b'], ['c']])
})
