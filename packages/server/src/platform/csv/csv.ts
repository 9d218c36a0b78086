/** A spreadsheet runs a cell that begins like this, some also in full width; a quote in front makes it text. */
const formulaStart = /^[=+\-@＝＋－＠\t\r\n]/

/** One row by RFC 4180: quoted where it must be, ended by CRLF. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string): string {
  const harmless = formulaStart.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The rows as they are read, the header with the first of them or alone: an export of any length needs the memory of one batch. */
export async function* csvOf<Row>({ header, batches, cellsOf }: CsvFile<Row>): AsyncGenerator<string> {
  let heading = csvRow(header)
  for await (const batch of batches) {
    const text = heading + batch.map((row) => csvRow(cellsOf(row))).join('')
    heading = ''
    if (text !== '') yield text
  }
  if (heading !== '') yield heading
}

export interface CsvFile<Row> {
  name: string
  header: readonly string[]
  batches: AsyncIterable<Row[]>
  cellsOf: (row: Row) => string[]
}
