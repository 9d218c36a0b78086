import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Hex } from 'viem'
import { ChainError } from '../errors.ts'

// One line per block: an eight-digit checksum, a space, JSON. A line is written and synced before the
// block is mined, so a block that anyone has seen is always in the file. Only the last line can be torn.

/**
 * What makes two chains of the same journal comparable: the code and roles they began with, and when. `offsetSeconds` is
 * how far the first block lay from real time; it is left out for a chain that began in its own present.
 */
export type JournalHeader = { format: 1; genesis: Hex; startedAt: number; offsetSeconds?: number }

/** One block: the hash it stands on, its timestamp, what was sent into it, and how far the clock jumped before it. */
export type JournalEntry = { parent: Hex; time: number; transactions: Hex[]; advanceSeconds?: number }

export type Journal = {
  header: JournalHeader
  /** The blocks found at opening, oldest first. */
  entries: JournalEntry[]
  /** Bytes of a torn last line that were cut off at opening. */
  repairedBytes: number
  /** Resolves once the entry is on disk. A failed append leaves the file as it was. */
  append: (entry: JournalEntry) => Promise<void>
  /** What `work` appends is on disk when it has ended. After a crash in between any number of last entries is missing. */
  syncOnce: <T>(work: () => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

export const openJournal = async ({
  dataDir,
  genesis,
  startedAt,
  offsetSeconds,
}: {
  dataDir: string
  genesis: Hex
  startedAt: number
  offsetSeconds?: number
}): Promise<Journal> => {
  const path = join(dataDir, 'chain', 'journal')
  await mkdir(dirname(path), { recursive: true })
  const { lines, validBytes, totalBytes } = parseLines(await readOrEmpty(path), path)
  const [first, ...entries] = lines
  const fresh: JournalHeader = { format: 1, genesis, startedAt, ...(offsetSeconds ? { offsetSeconds } : {}) }
  const header = first === undefined ? fresh : (first as JournalHeader)
  if (header.format !== 1 || header.genesis !== genesis) {
    throw new ChainError(
      'JOURNAL_MISMATCH',
      `the devnet journal ${path} began with genesis ${header.genesis}, this build has ${genesis}: start with the version that wrote it, or move the file away to begin a new chain`,
    )
  }

  const file = await open(path, first === undefined ? 'w' : 'r+')
  let length = first === undefined ? 0 : validBytes
  if (first !== undefined && totalBytes > validBytes) {
    await file.truncate(validBytes)
    await file.datasync()
  }

  let isPutOff = false
  const appendLine = async (value: JournalHeader | JournalEntry): Promise<void> => {
    const line = formatLine(value)
    // Two processes on one directory would each write over the other's blocks: the later one is stopped here.
    if ((await file.stat()).size !== length) {
      throw new ChainError(
        'JOURNAL_WRITE_FAILED',
        `another process has written to the devnet journal ${path}`,
      )
    }
    try {
      await writeFully(file, line, length)
      if (!isPutOff) await file.datasync()
    } catch (error) {
      // Should even this fail, nothing more is written here, and the next opening cuts the torn line off.
      await file.truncate(length).catch(() => undefined)
      throw new ChainError('JOURNAL_WRITE_FAILED', `the devnet journal ${path} could not be written`, {
        cause: error,
      })
    }
    length += line.length
  }
  if (first === undefined) {
    await appendLine(header)
    await syncDirectory(dirname(path))
  }

  return {
    header,
    entries: entries as JournalEntry[],
    repairedBytes: totalBytes - validBytes,
    append: appendLine,
    syncOnce: async (work) => {
      isPutOff = true
      try {
        return await work()
      } finally {
        isPutOff = false
        await file.datasync()
      }
    },
    close: () => file.close(),
  }
}

const formatLine = (value: JournalHeader | JournalEntry): Buffer => {
  const json = JSON.stringify(value)
  return Buffer.from(`${checksumOf(json)} ${json}\n`, 'utf8')
}

const checksumOf = (json: string): string => crc32(json).toString(16).padStart(8, '0')

const parseLines = (bytes: Buffer, path: string) => {
  const lines: unknown[] = []
  let validBytes = 0
  while (validBytes < bytes.length) {
    const end = bytes.indexOf(0x0a, validBytes)
    const line = end === -1 ? undefined : parseLine(bytes.toString('utf8', validBytes, end))
    if (line === undefined) {
      // A tear reaches to the end of the file: a whole line behind a broken one is damage of another kind.
      if (end !== -1 && hasWholeLine(bytes.subarray(end + 1))) {
        throw new ChainError(
          'JOURNAL_CORRUPT',
          `the devnet journal ${path} is damaged at byte ${validBytes}, before its last line`,
        )
      }
      break
    }
    lines.push(line)
    validBytes = end + 1
  }
  return { lines, validBytes, totalBytes: bytes.length }
}

const parseLine = (line: string): unknown => {
  const json = line.slice(9)
  return line.slice(0, 9) === `${checksumOf(json)} ` ? JSON.parse(json) : undefined
}

const hasWholeLine = (bytes: Buffer): boolean =>
  bytes
    .toString('utf8')
    .split('\n')
    .some((line) => line.length > 9 && parseLine(line) !== undefined)

const writeFully = async (file: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
}

const readOrEmpty = async (path: string): Promise<Buffer> => {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

const syncDirectory = async (path: string): Promise<void> => {
  // Windows refuses to sync a directory; there the file's own sync is all there is.
  const directory = await open(path, 'r').catch(() => undefined)
  await directory?.sync().catch(() => undefined)
  await directory?.close()
}
