import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@agent-marketplace/contract'
import { canonicalCid } from './cid.ts'
import { assertContent, assertSize, computeCid, corrupted, defaultMaxBytes } from './content.ts'
import type { StoragePort } from './port.ts'

/** Files belong to the parties of jobs, and to no other account of this machine. */
const PRIVATE = 0o700

interface FolderOptions {
  directory: string
  maxBytes?: number
}

/** Files in a folder, each named by its CID. A file appears whole or not at all, also after a power cut. */
export async function openFolderStorage({
  directory,
  maxBytes = defaultMaxBytes,
}: FolderOptions): Promise<StoragePort> {
  const unfinished = join(directory, 'unfinished')
  // Whatever a crash left half written has no name that anyone was given.
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true, mode: PRIVATE })
  // A folder of an earlier version let other accounts of the machine look in.
  await chmod(directory, PRIVATE)

  /** A thousand folders share the load; the last characters of a CID are its most random ones. */
  const placeOf = (cid: string) => {
    const folder = join(directory, cid.slice(-3, -1))
    return { folder, path: join(folder, cid) }
  }

  return {
    async put(bytes) {
      assertSize(bytes, maxBytes)
      const cid = await computeCid(bytes)
      const { folder, path } = placeOf(cid)
      const draft = join(unfinished, randomUUID())
      try {
        await writeDurably(draft, bytes)
        // Written again even if it is there already: that heals a file that was damaged.
        if ((await mkdir(folder, { recursive: true, mode: PRIVATE })) !== undefined)
          await syncFolder(directory)
        await rename(draft, path)
        await syncFolder(folder)
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined)
        throw unavailable(error)
      }
      return { cid, sizeBytes: bytes.length }
    },

    async get(text) {
      const cid = canonicalCid(text)
      if (cid === undefined) return undefined
      const { path } = placeOf(cid)
      const size = await sizeOf(path)
      if (size === undefined) return undefined
      if (size > maxBytes) throw corrupted()
      const bytes = await readFile(path).catch((error) => {
        throw unavailable(error)
      })
      await assertContent(cid, bytes)
      return { bytes }
    },

    async has(text) {
      const cid = canonicalCid(text)
      return cid !== undefined && (await sizeOf(placeOf(cid).path)) !== undefined
    },
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A new name is durable only when the folder that holds it is. Windows cannot open folders and needs no such step. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw unavailable(error)
  }
}

function unavailable(cause: unknown): AppError<'UNAVAILABLE'> {
  return new AppError('UNAVAILABLE', { message: 'The file storage is not available.', cause })
}
