import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { PRIVATE_FILE } from '../../disk/private.ts'

const ROWS_AT_ONCE = 1_000

/** The first line of an archive. The others are its rows, one JSON object each. */
export interface ArchiveHeader {
  format: 1
  table: string
  partition: string
  /** Null: everything before `to`. */
  from: string | null
  to: string
  columns: string[]
  rows: number
}

/** The rows come as whole lines, many at a time. Resolves when all is on disk. */
export async function writeArchive(
  file: string,
  header: ArchiveHeader,
  lines: AsyncIterable<string>,
): Promise<void> {
  async function* all() {
    yield `${JSON.stringify(header)}\n`
    yield* lines
  }
  await pipeline(all, createGzip(), createWriteStream(file, { flags: 'wx', mode: PRIVATE_FILE }))
  const written = await open(file)
  try {
    await written.sync()
  } finally {
    await written.close()
  }
}

/** Begins with the header, and is given the rows in batches. */
type ArchiveReader = (header: ArchiveHeader) => Promise<(rows: readonly string[]) => Promise<void>>

/** Returns the header, after all rows were read and the file is known to be whole. */
export async function readArchive(file: string, read: ArchiveReader): Promise<ArchiveHeader> {
  let header: ArchiveHeader | undefined
  let takeRows: Awaited<ReturnType<ArchiveReader>> | undefined
  let count = 0
  async function take(lines: readonly string[]): Promise<void> {
    if (header && takeRows) {
      count += lines.length
      return takeRows(lines)
    }
    const [first, ...rows] = lines
    if (first === undefined) return
    header = headerIn(first, file)
    takeRows = await read(header)
    await take(rows)
  }
  await pipeline(
    createReadStream(file),
    createGunzip(),
    async (chunks: AsyncIterable<Buffer>): Promise<void> => {
      const decoder = new TextDecoder()
      let waiting: string[] = []
      let open = ''
      for await (const chunk of chunks) {
        const lines = (open + decoder.decode(chunk, { stream: true })).split('\n')
        open = lines.pop() ?? ''
        waiting.push(...lines)
        if (waiting.length < ROWS_AT_ONCE) continue
        await take(waiting)
        waiting = []
      }
      await take(waiting)
    },
  )
  if (header?.rows !== count) throw new Error(`${file} is not whole: it has ${count} rows.`)
  return header
}

function headerIn(line: string, file: string): ArchiveHeader {
  if (!line.startsWith('{"format":1,')) throw new Error(`${file} is no archive of a month.`)
  return JSON.parse(line) as ArchiveHeader
}
