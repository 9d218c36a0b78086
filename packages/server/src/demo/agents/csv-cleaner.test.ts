import { describe, expect, test } from 'vitest'
import { cleanCsv } from './csv-cleaner.ts'
import { MOST_RESULT_BYTES, sizeOf } from './testing/size-of.ts'

test('delimiters, quotes, spaces, empty and repeated rows, column names', () => {
  const csv = '\uFEFFItem; Price ;Price;\r\n  Tea;3.50;"3,20"\r\n;;\r\nTea;3.50;3,20\r\n"Say ""hi""";4.80\r\n'
  expect(cleanCsv({ csv })).toEqual({
    csv: 'Item,Price,Price_2,column_4\nTea,3.50,"3,20",\n"Say ""hi""",4.80,,\n',
    rows: 2,
    columns: 4,
    emptyRows: 1,
    duplicateRows: 1,
    rowsLeftOut: 0,
    problems: [expect.stringContaining('Not every row')],
  })
})

test('repeated rows stay where they are wanted, and a given delimiter counts', () => {
  expect(cleanCsv({ csv: 'a,b\n1,2\n1,2', keepDuplicates: true })).toMatchObject({
    rows: 2,
    duplicateRows: 0,
  })
  expect(cleanCsv({ csv: 'a,b;c\n1,2;3', delimiter: ';' }).csv).toBe('"a,b",c\n"1,2",3\n')
})

test('every line end, tabs and bars, and line ends within quotes', () => {
  for (const end of ['\n', '\r\n', '\r'])
    expect(cleanCsv({ csv: `a\tb${end}1\t"two${end}lines"${end}` }).csv).toBe('a,b\n1,two lines\n')
  expect(cleanCsv({ csv: 'a|b\n"1|2"|3' }).csv).toBe('a,b\n1|2,3\n')
})

test('letters of every script stay as they are', () => {
  const csv = 'naïve,名前,שם\n👩‍👩‍👧,می‌روم,é'
  expect(cleanCsv({ csv }).csv).toBe(`${csv}\n`)
})

test('names that collide with made ones stay unique', () => {
  expect(cleanCsv({ csv: 'a,a_2,a,,column_4\n1,2,3,4,5' }).csv.split('\n')[0]).toBe(
    'a,a_2,a_3,column_4,column_4_2',
  )
})

describe('hostile tables', () => {
  const many = 60_000
  test.each([
    ['nothing but quotes', '"'.repeat(many)],
    ['an open quote', `a,b\n"${'x'.repeat(many)}`],
    ['nothing but commas', ','.repeat(many)],
    ['nothing but line ends', '\r\n'.repeat(many / 2)],
    ['a wide row above many short ones', `${'x,'.repeat(20_000)}\n${'a\n'.repeat(10_000)}`],
    [
      'many short rows below 200 columns',
      `${'x,'.repeat(199)}x\n${Array.from({ length: 10_000 }, (_, n) => n).join('\n')}`,
    ],
    ['the same name again and again', `${'a,'.repeat(many / 2)}a`],
    ['quotes that double', 'x",'.repeat(many / 3)],
    ['spaces', ' '.repeat(many)],
    ['control characters', '\u0000\u0007\u001b,\n'.repeat(many / 5)],
    ['half characters', '\ud800,'.repeat(many / 2)],
    ['three bytes for each', '語,'.repeat(many / 2)],
  ])('%s', (_name, csv) => {
    const result = cleanCsv({ csv })
    expect(sizeOf(result)).toBeLessThan(MOST_RESULT_BYTES)
    expect(result.csv.isWellFormed()).toBe(true)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be gone.
    expect(result.csv).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
    // What is clean stays as it is.
    expect(cleanCsv({ csv: result.csv, delimiter: ',' }).csv).toBe(result.csv)
  })

  test('says what it left out', () => {
    const csv = `${'x,'.repeat(199)}x\n${Array.from({ length: 10_000 }, (_, n) => n).join('\n')}`
    const { rows, rowsLeftOut, problems } = cleanCsv({ csv })
    expect(rows).toBeGreaterThan(100)
    expect(rows + rowsLeftOut).toBe(10_000)
    expect(problems.join()).toContain(`the last ${rowsLeftOut} rows are left out`)
    expect(cleanCsv({ csv: '"a' }).problems.join()).toContain('never closed')
    expect(cleanCsv({ csv: `${','.repeat(300)}x\n1` }).problems.join()).toContain('first 200 columns')
  })
})
