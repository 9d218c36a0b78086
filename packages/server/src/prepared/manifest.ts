import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { crc32 } from 'node:zlib'

const NAME = 'manifest.json'
const CHUNK_BYTES = 1_000_000

interface Manifest {
  madeAtMs: number
  /** What every file and folder is like, by its path. */
  entries: Record<string, string>
}

/** Written last. Nothing of a copy is synced: one that a power cut has spoiled does not match. */
export function writeManifest(copy: string, madeAtMs: number): void {
  const manifest: Manifest = { madeAtMs, entries: describe(copy) }
  writeFileSync(join(copy, NAME), JSON.stringify(manifest))
}

/** Undefined where the copy has none, or one that cannot be read. */
export function madeAtMsOf(copy: string): number | undefined {
  return readManifest(copy)?.madeAtMs
}

/** Whether everything is there as it was written, and nothing else. */
export function isWhole(copy: string): boolean {
  const written = readManifest(copy)?.entries
  try {
    return written !== undefined && isDeepStrictEqual(describe(copy), written)
  } catch {
    return false
  }
}

function readManifest(copy: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(copy, NAME), 'utf8'))
  } catch {
    return undefined
  }
}

/** The owner and the mode of each, which PostgreSQL insists on; of a file its size and its checksum too. */
function describe(copy: string): Record<string, string> {
  const paths = (readdirSync(copy, { recursive: true }) as string[]).filter((path) => path !== NAME).sort()
  // One for all files: what each would leave behind stays in memory for long, because an idle process collects no garbage.
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  return Object.fromEntries(
    paths.map((path) => {
      const { uid, mode, size } = statSync(join(copy, path))
      const isFolder = (mode & constants.S_IFMT) === constants.S_IFDIR
      const content = isFolder ? '' : ` ${size} ${checksumOf(join(copy, path), chunk)}`
      return [path, `${uid} ${mode.toString(8)}${content}`]
    }),
  )
}

function checksumOf(path: string, chunk: Buffer): number {
  const file = openSync(path, 'r')
  try {
    let checksum = 0
    for (;;) {
      const bytesRead = readSync(file, chunk)
      if (bytesRead === 0) return checksum
      checksum = crc32(chunk.subarray(0, bytesRead), checksum)
    }
  } finally {
    closeSync(file)
  }
}
