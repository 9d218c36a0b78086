import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvOf, csvRow } from './csv.ts'

/** A reader of RFC 4180 rows, as plain as can be. */
function readRow(line: string): string[] {
  const cells: string[] = []
  let rest = line.replace(/\r\n$/, '')
  while (true) {
    const quoted = /^"((?:[^"]|"")*)"(,|$)/.exec(rest)
    const cell = quoted ?? /^([^,]*)(,|$)/.exec(rest)
    cells.push((cell?.[1] ?? '').replaceAll(quoted ? '""' : '\0', '"'))
    rest = rest.slice(cell?.[0].length ?? 0)
    if (cell?.[2] !== ',') return cells
  }
}

const anyCell = fc.string({
  unit: fc.constantFrom('a', '"', ',', '\r', '\n', '=', '+', '-', '@', '＝', '\t', ' ', '1', "'"),
})

test('any cells can be read back, a quote before those that begin like a formula', () => {
  fc.assert(
    fc.property(fc.array(anyCell, { minLength: 1, maxLength: 5 }), (cells) => {
      const read = readRow(csvRow(cells))
      expect(read).toEqual(cells.map((cell) => (/^[=+\-@＝\t\r\n]/.test(cell) ? `'${cell}` : cell)))
      for (const cell of read) expect(cell).not.toMatch(/^[=+\-@＝\t\r\n]/)
    }),
  )
})

test.each([
  ['=HYPERLINK("http://evil","x")', `"'=HYPERLINK(""http://evil"",""x"")"\r\n`],
  ['+1', "'+1\r\n"],
  ['-1', "'-1\r\n"],
  ['@SUM(A1)', "'@SUM(A1)\r\n"],
  ['\t=1', "'\t=1\r\n"],
  ['a,b', '"a,b"\r\n'],
  ['plain', 'plain\r\n'],
])('%j', (cell, row) => {
  expect(csvRow([cell])).toBe(row)
})

test.each([
  { batches: [[1, 2], [3]], text: 'Number\r\n1\r\n2\r\n3\r\n' },
  { batches: [[]], text: 'Number\r\n' },
  { batches: [], text: 'Number\r\n' },
])('$batches come under one header', async ({ batches, text }) => {
  const rows = (async function* () {
    yield* batches
  })()
  const file = { name: 'n.csv', header: ['Number'], batches: rows, cellsOf: (row: number) => [String(row)] }
  let sent = ''
  for await (const part of csvOf(file)) sent += part
  expect(sent).toBe(text)
})
