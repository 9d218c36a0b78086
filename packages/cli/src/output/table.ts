import { oneLine } from './printable.ts'

/** Rows under their titles, as wide as they need. A cell is text of any origin. */
export function drawTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, ...rows].map((row) => row.map((cell) => oneLine(cell)))
  const widths = titles.map((_, column) => Math.max(...lines.map((row) => lengthOf(row[column] ?? ''))))
  const draw = (row: readonly string[]) =>
    row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - lengthOf(cell)))
  return lines.map((row) => draw(row).join('  ').trimEnd()).join('\n')
}

const lengthOf = (text: string): number => [...text].length
