import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Copies files and folders into a folder that exists, with owners and modes, which Node's own copy does not keep. Where the
 * file system can, no byte is copied.
 */
export async function copyInto(folder: string, paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await run('cp', ['-pR', ...paths, folder])
}

/** Copies a folder to a name that is not taken. */
export async function copyAs(folder: string, source: string): Promise<void> {
  await run('cp', ['-pR', source, folder])
}
