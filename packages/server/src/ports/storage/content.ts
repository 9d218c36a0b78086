import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { AppError, MAX_JOB_FILE_BYTES } from '@agent-marketplace/contract'
import { importFile } from 'ipfs-unixfs-importer'
import type { ByteStream, FileToRead, KeptContent } from './port.ts'

export const defaultMaxBytes = MAX_JOB_FILE_BYTES

/** The blocks of the DAG are only hashed; the bytes are kept as a file. */
const nowhere: Parameters<typeof importFile>[1] = { put: async (cid) => cid }

/**
 * What `ipfs add --cid-version 1` does: blocks of 256 KiB, raw leaves, 174 links to a node. Every figure matters, for each
 * changes the CIDs of files larger than a block. 10 MB take about 15 ms.
 */
const layout = { profile: 'unixfs-v0-2015', cidVersion: 1, rawLeaves: true } as const

/** The CID that `ipfs add --cid-version 1` gives these bytes. */
export async function computeCid(bytes: Uint8Array | ByteStream): Promise<string> {
  return (await importFile({ content: bytes }, nowhere, layout)).cid.toString()
}

/** What is known of bytes that are all here, before they are kept. */
export async function describeContent(bytes: Uint8Array): Promise<KeptContent> {
  const { cid, size } = await importFile({ content: bytes }, nowhere, layout)
  return { cid: cid.toString(), sizeBytes: bytes.length, dagBytes: Number(size) }
}

/** Hashes what comes while `keep` takes it, one piece after the other: the source waits for both. */
export async function takeIn(
  source: ByteStream,
  { maxBytes, keep }: { maxBytes: number; keep: (chunk: Uint8Array) => Promise<unknown> },
): Promise<KeptContent> {
  let sizeBytes = 0
  async function* passing() {
    for await (const chunk of source) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
      await keep(chunk)
      yield chunk
    }
  }
  const { cid, size } = await importFile({ content: passing() }, nowhere, layout)
  return { cid: cid.toString(), sizeBytes, dagBytes: Number(size) }
}

/** Storage is not believed: what it gives back is hashed again before anyone sees it. */
export async function assertContent(cid: string, bytes: Uint8Array): Promise<void> {
  if ((await computeCid(bytes)) !== cid) throw corrupted()
}

/** What `StoragePort.read` promises, over what a storage gives back. */
export function checkedStream(cid: string, source: ByteStream, { sizeBytes, part }: FileToRead): ByteStream {
  if (part) return ofLength(part.end - part.start + 1, source)
  return whole(cid, ofLength(sizeBytes, source))
}

async function* ofLength(length: number, source: ByteStream): AsyncGenerator<Uint8Array, void> {
  let seen = 0
  for await (const chunk of source) {
    seen += chunk.length
    if (seen > length) throw corrupted()
    yield chunk
  }
  if (seen !== length) throw corrupted()
}

async function* whole(cid: string, source: ByteStream): AsyncGenerator<Uint8Array, void> {
  const hashed = new PassThrough()
  const hashing = computeCid(hashed).catch((error: unknown) => error)
  let held: Uint8Array | undefined
  try {
    for await (const chunk of source) {
      if (held) yield held
      if (!hashed.write(chunk)) await once(hashed, 'drain')
      held = chunk
    }
    hashed.end()
    if ((await hashing) !== cid) throw corrupted()
    if (held) yield held
  } finally {
    hashed.destroy()
  }
}

export function assertSize(bytes: Uint8Array, maxBytes: number): void {
  if (bytes.length > maxBytes) throw tooLarge(maxBytes)
}

function tooLarge(maxBytes: number): AppError<'PAYLOAD_TOO_LARGE'> {
  return new AppError('PAYLOAD_TOO_LARGE', {
    message: `A file has at most ${maxBytes} bytes.`,
    details: { maxBytes },
  })
}

export function corrupted(cause?: unknown): AppError<'INTERNAL_ERROR'> {
  return new AppError('INTERNAL_ERROR', { message: 'The stored file is not what its CID says.', cause })
}
