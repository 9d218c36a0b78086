import { inflateSync } from 'node:zlib'

/** The words of a PDF whose fonts have a table of Unicode, as ours do. */
export function readPdf(bytes: Buffer): string {
  const source = bytes.toString('latin1')
  const streams = streamsOf(source)
  const pages = streams.filter((stream) => stream.includes(' Tf'))
  const tables = streams.filter((stream) => stream.includes('beginbfrange')).map(readTable)
  if (pages.length === 0) throw new Error('the file has no pages')
  // Each line is read by the table of every font: the right one makes sense of it.
  return pages
    .flatMap((page) => [...page.matchAll(/\[([^\]]*)\] TJ/g)])
    .flatMap(([, shown = '']) => {
      const codes = [...shown.matchAll(/<([0-9a-f]+)>/g)].map(([, hex = '']) => hex).join('')
      return tables.map((table) =>
        (codes.match(/.{4}/g) ?? []).map((code) => table.get(code) ?? '?').join(''),
      )
    })
    .join('\n')
}

/** By their stated length: compressed bytes can end like a line, so the end of a line is no end of theirs. */
function streamsOf(source: string): string[] {
  return [...source.matchAll(/\/Length (\d+)[^>]*>>\s*stream\r?\n/g)].flatMap(
    ({ 0: head, 1: length, index }) => {
      const start = index + head.length
      try {
        return [
          inflateSync(Buffer.from(source.slice(start, start + Number(length)), 'latin1')).toString('latin1'),
        ]
      } catch {
        return []
      }
    },
  )
}

function readTable(stream: string): Map<string, string> {
  const table = new Map<string, string>()
  for (const [, first = '0', list = ''] of stream.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g)) {
    let code = Number.parseInt(first, 16)
    for (const [, hex = ''] of list.matchAll(/<([0-9a-f ]+)>/g)) {
      const units = (hex.replaceAll(' ', '').match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16))
      table.set(code.toString(16).padStart(4, '0'), String.fromCharCode(...units))
      code += 1
    }
  }
  return table
}
