import { createReadStream } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_FOLDER, syncFolder } from '../../platform/disk/private.ts'
import { canonicalCid } from './cid.ts'
import { assertContent, assertSize, checkedStream, corrupted, defaultMaxBytes } from './content.ts'
import type { KeptContent, StoragePort } from './port.ts'
import { type Draft, failOnDisk, openSpool, streamOf } from './spool.ts'

interface FolderOptions {
  directory: string
  maxBytes?: number
}

/** Files in a folder, each named by its CID. A file appears whole or not at all, also after a power cut. */
export async function openFolderStorage({
  directory,
  maxBytes = defaultMaxBytes,
}: FolderOptions): Promise<StoragePort> {
  const spool = await openSpool(join(directory, 'unfinished'), maxBytes)
  // A folder of an earlier version let other accounts of the machine look in.
  await chmod(directory, PRIVATE_FOLDER)

  /** A thousand folders share the load; the last characters of a CID are its most random ones. */
  const placeOf = (cid: string) => {
    const folder = join(directory, cid.slice(-3, -1))
    return { folder, path: join(folder, cid) }
  }

  async function keep({ path: draft, ...stored }: Draft): Promise<KeptContent> {
    const { folder, path } = placeOf(stored.cid)
    // Written again even if it is there already: that heals a file that was damaged.
    if ((await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })) !== undefined)
      await syncFolder(directory)
    await rename(draft, path)
    await syncFolder(folder)
    return stored
  }

  const putStream: StoragePort['putStream'] = (source, announce) =>
    spool.take(source, announce, (draft) => keep(draft).catch(failOnDisk))

  return {
    putStream,

    async put(bytes, announce) {
      assertSize(bytes, maxBytes)
      return putStream(streamOf(bytes), announce)
    },

    async get(text) {
      const cid = canonicalCid(text)
      if (cid === undefined) return undefined
      const { path } = placeOf(cid)
      const size = await sizeOf(path)
      if (size === undefined) return undefined
      if (size > maxBytes) throw corrupted()
      const bytes = await readFile(path).catch(failOnDisk)
      await assertContent(cid, bytes)
      return { bytes }
    },

    async read(text, file) {
      const cid = canonicalCid(text)
      if (cid === undefined) return undefined
      const { path } = placeOf(cid)
      const size = await sizeOf(path)
      if (size === undefined) return undefined
      if (size !== file.sizeBytes) throw corrupted()
      return checkedStream(cid, createReadStream(path, file.part), file)
    },

    async has(text) {
      const cid = canonicalCid(text)
      return cid !== undefined && (await sizeOf(placeOf(cid).path)) !== undefined
    },

    async remove(text) {
      const cid = canonicalCid(text)
      if (cid !== undefined) await rm(placeOf(cid).path, { force: true }).catch(failOnDisk)
    },
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    return failOnDisk(error)
  }
}
