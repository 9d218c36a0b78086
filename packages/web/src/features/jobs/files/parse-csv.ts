const MAX_ROWS = 200
const MAX_COLUMNS = 30

/** The beginning of a CSV file (RFC 4180), as much of it as a page can show. Quotes that nobody closed are text. */
export function parseCsv(text: string): { rows: string[][]; isCut: boolean } {
  const rows: string[][] = []
  let row: string[] = []
  let isWide = false
  // A cell with quotes, or one without, and what ends it.
  const cells = /(?:"([^"]*(?:""[^"]*)*)"|([^,\r\n]*))(,|\r?\n|\r|$)/y
  while (cells.lastIndex < text.length) {
    if (rows.length === MAX_ROWS) return { rows, isCut: true }
    const [, quoted, plain = '', end] = cells.exec(text) ?? []
    if (row.length < MAX_COLUMNS) row.push(quoted?.replaceAll('""', '"') ?? plain)
    else isWide = true
    if (end === ',' && cells.lastIndex < text.length) continue
    if (end === ',') row.push('')
    rows.push(row)
    row = []
  }
  return { rows, isCut: isWide }
}
