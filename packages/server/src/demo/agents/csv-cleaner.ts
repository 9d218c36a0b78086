import { createBudget } from './budget.ts'
import { type Delimiter, detectDelimiter, parseCsv } from './parse-csv.ts'

const MAX_COLUMNS = 200

export interface CsvInput {
  csv: string
  delimiter?: Delimiter
  keepDuplicates?: boolean
}

export interface CleanCsv {
  csv: string
  rows: number
  columns: number
  emptyRows: number
  duplicateRows: number
  rowsLeftOut: number
  problems: string[]
}

/** One table: trimmed cells, unique column names, every row as wide as the others, commas, plain line ends. */
export function cleanCsv({ csv, delimiter, keepDuplicates = false }: CsvInput): CleanCsv {
  const text = csv.replace(/^\uFEFF/, '').toWellFormed()
  const { rows, isUnclosed } = parseCsv(text, delimiter ?? detectDelimiter(text))
  const problems: string[] = []
  if (isUnclosed) problems.push('A quote is never closed: everything after it is one cell.')
  if (rows.some((row) => row.length > MAX_COLUMNS))
    problems.push(`Only the first ${MAX_COLUMNS} columns are kept.`)

  const cleaned = rows.map((row) => row.slice(0, MAX_COLUMNS).map(cleanCell))
  const filled = cleaned.filter((row) => row.some((cell) => cell !== ''))
  const [header = [], ...body] = filled
  const width = Math.max(0, ...boundsOf(filled))
  if (body.some((row) => row.length !== header.length))
    problems.push(
      'Not every row is as long as the header: missing cells are empty, further columns have new names.',
    )
  const kept = keepDuplicates ? body : withoutDuplicates(body)

  const budget = createBudget()
  const lines: string[] = []
  for (const row of width === 0 ? [] : [nameColumns(header, width), ...kept]) {
    const line = writeRow(row, width)
    if (!budget.take(line)) break
    lines.push(line)
  }
  const rowCount = Math.max(0, lines.length - 1)
  const rowsLeftOut = kept.length - rowCount
  if (rowsLeftOut > 0) problems.push(`The result is too large: the last ${rowsLeftOut} rows are left out.`)
  return {
    csv: lines.join(''),
    rows: rowCount,
    columns: width,
    emptyRows: cleaned.length - filled.length,
    duplicateRows: body.length - kept.length,
    rowsLeftOut,
    problems,
  }
}

/** The widest and the narrowest would do; spreading every row could exceed the stack. */
const boundsOf = (rows: readonly string[][]): number[] => [...new Set(rows.map((row) => row.length))]

/** Characters that nobody sees go; every run of white space, also within a quoted cell, is one space. */
const cleanCell = (cell: string): string =>
  cell
    .replaceAll(/[\u200B\uFEFF]/g, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()

function withoutDuplicates(rows: readonly string[][]): string[][] {
  const seen = new Set<string>()
  return rows.filter((row) => {
    // No cell holds a zero; cells that are missing at the end are as good as empty ones.
    const key = row.slice(0, row.findLastIndex((cell) => cell !== '') + 1).join('\0')
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** An empty name becomes `column_3`, the second `price` becomes `price_2`. */
function nameColumns(header: readonly string[], width: number): string[] {
  const used = new Set<string>()
  const counts = new Map<string, number>()
  return Array.from({ length: width }, (_, index) => {
    const wanted = header[index] || `column_${index + 1}`
    let name = wanted
    let count = counts.get(wanted) ?? 1
    while (used.has(name)) {
      count += 1
      name = `${wanted}_${count}`
    }
    counts.set(wanted, count)
    used.add(name)
    return name
  })
}

function writeRow(row: readonly string[], width: number): string {
  const cells = Array.from({ length: width }, (_, index) => quote(row[index] ?? ''))
  return `${cells.join(',')}\n`
}

const quote = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
