const QUOTE = '"'
const LINE_END = /[\r\n]/

export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

export interface ParsedCsv {
  rows: string[][]
  /** A quote was opened that nothing closes: the rest of the text is one cell. */
  isUnclosed: boolean
}

/** Reads RFC 4180 and what people make of it: any line end, quotes in the middle of a cell, a last line without an end. */
export function parseCsv(text: string, delimiter: Delimiter): ParsedCsv {
  const rows: string[][] = []
  let row: string[] = []
  let place = 0
  let isUnclosed = false
  while (place < text.length) {
    const cell = readCell(text, place, delimiter)
    isUnclosed ||= cell.isUnclosed
    row.push(cell.value)
    place = cell.end
    const next = text[place]
    if (next === delimiter) {
      place += 1
      // A line that ends with a delimiter has one more cell, which is empty.
      if (place === text.length) row.push('')
      continue
    }
    if (next === '\r' && text[place + 1] === '\n') place += 1
    place += 1
    rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return { rows, isUnclosed }
}

interface Cell {
  value: string
  /** Where the delimiter, the line end or the end of the text is. */
  end: number
  isUnclosed: boolean
}

function readCell(text: string, start: number, delimiter: Delimiter): Cell {
  if (text[start] !== QUOTE) {
    const end = endOfPlain(text, start, delimiter)
    return { value: text.slice(start, end), end, isUnclosed: false }
  }
  let value = ''
  let from = start + 1
  for (;;) {
    const close = text.indexOf(QUOTE, from)
    if (close === -1) return { value: value + text.slice(from), end: text.length, isUnclosed: true }
    value += text.slice(from, close)
    if (text[close + 1] !== QUOTE) {
      const end = endOfPlain(text, close + 1, delimiter)
      return { value: value + text.slice(close + 1, end), end, isUnclosed: false }
    }
    value += QUOTE
    from = close + 2
  }
}

function endOfPlain(text: string, start: number, delimiter: Delimiter): number {
  let end = start
  while (end < text.length && text[end] !== delimiter && !LINE_END.test(text[end] ?? '')) end += 1
  return end
}

/** The one that the first line has most of, outside quotes; a comma where it has none. */
export function detectDelimiter(text: string): Delimiter {
  const counts = new Map<string, number>()
  let isQuoted = false
  for (const character of text) {
    if (character === QUOTE) isQuoted = !isQuoted
    else if (!isQuoted && LINE_END.test(character)) break
    else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const countOf = (delimiter: Delimiter) => counts.get(delimiter) ?? 0
  return delimiters.reduce((best, one) => (countOf(one) > countOf(best) ? one : best))
}
