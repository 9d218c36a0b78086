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

/** The header at once, then the rows as they are read: an export of any length needs the memory of one batch. */
export async function* csvOf<Row>(
  header: readonly string[],
  batches: AsyncIterable<Row[]>,
  cellsOf: (row: Row) => string[],
): AsyncGenerator<string> {
  yield csvRow(header)
  for await (const batch of batches) {
    if (batch.length > 0) yield batch.map((row) => csvRow(cellsOf(row))).join('')
  }
}

/** How a file of rows is sent: to be saved, and kept by nobody on the way. */
export const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}"`,
  'cache-control': 'no-store',
})
