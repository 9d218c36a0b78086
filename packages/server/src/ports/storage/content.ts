import { AppError } from '@agent-marketplace/contract'
import { importFile } from 'ipfs-unixfs-importer'

export const defaultMaxBytes = 10_000_000

/** The blocks of the DAG are only hashed; the bytes are kept as a file. */
const nowhere: Parameters<typeof importFile>[1] = { put: async (cid) => cid }

/**
 * The CID that `ipfs add --cid-version 1` gives these bytes: blocks of 256 KiB, raw leaves, 174 links to a node. Every
 * figure matters, for each changes the CIDs of files larger than a block. 10 MB take about 15 ms.
 */
export async function computeCid(bytes: Uint8Array): Promise<string> {
  const { cid } = await importFile({ content: bytes }, nowhere, {
    profile: 'unixfs-v0-2015',
    cidVersion: 1,
    rawLeaves: true,
  })
  return cid.toString()
}

/** Storage is not believed: what it gives back is hashed again before anyone sees it. */
export async function assertContent(cid: string, bytes: Uint8Array): Promise<void> {
  if ((await computeCid(bytes)) !== cid) throw corrupted()
}

export function assertSize(bytes: Uint8Array, maxBytes: number): void {
  if (bytes.length <= maxBytes) return
  throw new AppError('PAYLOAD_TOO_LARGE', {
    message: `A file has at most ${maxBytes} bytes.`,
    details: { maxBytes },
  })
}

export function corrupted(cause?: unknown): AppError<'INTERNAL_ERROR'> {
  return new AppError('INTERNAL_ERROR', { message: 'The stored file is not what its CID says.', cause })
}
