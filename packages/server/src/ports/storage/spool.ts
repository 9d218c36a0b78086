import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@agent-marketplace/contract'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../platform/disk/private.ts'
import { takeIn } from './content.ts'
import type { Announce, ByteStream, KeptContent } from './port.ts'

/** A file on this disk that has come in whole, and has no name yet that anyone was given. */
export interface Draft extends KeptContent {
  path: string
}

/** A folder for what is still coming in. What a crash left there half written is removed. */
export async function openSpool(folder: string, maxBytes: number) {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })

  return {
    /** Takes in the source, announces it, then lets `keep` have the draft, which is gone afterwards. */
    async take<Kept>(
      source: ByteStream,
      announce: Announce | undefined,
      keep: (draft: Draft) => Promise<Kept>,
    ): Promise<Kept> {
      const path = join(folder, randomUUID())
      try {
        const stored = await writeDurably(path, source, maxBytes)
        await announce?.(stored.cid)
        return await keep({ path, ...stored })
      } finally {
        await rm(path, { force: true }).catch(() => undefined)
      }
    },
  }
}

async function writeDurably(path: string, source: ByteStream, maxBytes: number): Promise<KeptContent> {
  const file = await open(path, 'wx', PRIVATE_FILE).catch(failOnDisk)
  try {
    const stored = await takeIn(source, { maxBytes, keep: (chunk) => append(file, chunk) })
    await file.sync().catch(failOnDisk)
    return stored
  } finally {
    await file.close()
  }
}

const append = (file: FileHandle, chunk: Uint8Array) => file.writeFile(chunk).catch(failOnDisk)

/** The disk's fault, and not the sender's. */
export function failOnDisk(cause: unknown): never {
  throw new AppError('UNAVAILABLE', { message: 'The file storage is not available.', cause })
}

export const streamOf = async function* (bytes: Uint8Array): ByteStream {
  yield bytes
}
