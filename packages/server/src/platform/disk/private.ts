import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What owners have given belongs to no other account of this machine. */
export const PRIVATE_FOLDER = 0o700
export const PRIVATE_FILE = 0o600

/** A new name is durable only when the folder that holds it is. Windows cannot open folders and needs no such step. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** A file, or a folder with everything in it. */
export async function syncTree(path: string): Promise<void> {
  if ((await stat(path)).isDirectory())
    await Promise.all((await readdir(path)).map((name) => syncTree(join(path, name))))
  await syncFolder(path)
}
