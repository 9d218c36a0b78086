const MAX_ROWS = 200
const MAX_COLUMNS = 30

/** The beginning of a CSV file (RFC 4180), as much of it as a page can show. */
export function parseCsv(text: string): { rows: string[][]; isCut: boolean } {
  const rows: string[][] = []
  let row: string[] = []
  let isWide = false
  // A cell with quotes, or one without, and what ends it.
  const cells = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\r|$)/y
  while (cells.lastIndex < text.length) {
    if (rows.length === MAX_ROWS) return { rows, isCut: true }
    const start = cells.lastIndex
    const match = cells.exec(text)
    // Quotes that nobody closed: the rest is one cell.
    if (!match) return { rows: [...rows, [...row, text.slice(start)]], isCut: true }
    const [, quoted, plain = '', end] = match
    if (row.length < MAX_COLUMNS) row.push(quoted?.replaceAll('""', '"') ?? plain)
    else isWide = true
    if (end === ',') {
      if (cells.lastIndex === text.length) row.push('')
      else continue
    }
    rows.push(row)
    row = []
  }
  return { rows: row.length > 0 ? [...rows, row] : rows, isCut: isWide }
}
