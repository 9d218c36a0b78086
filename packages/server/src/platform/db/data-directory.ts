import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError } from './startup-error.ts'

/** A data directory that this process alone uses, until it releases it or ends in whatever way. */
export interface DataDirectory {
  readonly path: string
  release(): void
}

const sqliteBusy = 5

/**
 * What this process has locked. A file must not be opened again while it holds a lock: to close it would drop the lock, by the
 * rules of POSIX.
 */
const held = new Set<string>()

/**
 * Takes the directory for this process, and makes it when it is not there.
 *
 * The lock is an exclusive SQLite transaction on an empty file. Node offers no file locks of its own, and this is one:
 * the kernel drops it when the process dies, so neither kill -9 nor a reused process id can leave a stale lock, and
 * containers that share a volume see each other's.
 */
export function lockDataDirectory(path: string): DataDirectory {
  try {
    const directory = makeDataDirectory(path)
    if (held.has(directory)) throw inUse(directory)
    const lock = takeLock(directory)
    held.add(directory)
    const release = () => {
      held.delete(directory)
      lock.close()
    }
    try {
      writeFileSync(ownerFileOf(directory), `${process.pid}\n`)
    } catch (error) {
      release()
      throw error
    }
    return { path: directory, release }
  } catch (error) {
    if (error instanceof StartupError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError(`The data directory ${path} cannot be used: ${reason}`, { cause: error })
  }
}

/** Where it is not there yet. Returns its real path. */
export function makeDataDirectory(path: string): string {
  if (!existsSync(path)) {
    makeDirectory(path)
    // Others may pass through but not look, so that root can keep the cluster of another account inside.
    chmodSync(path, 0o711)
  }
  return realpathSync(path)
}

/** One level after another: asked to make all of them, Node retries indefinitely where a parent takes no folders, as in /proc. */
function makeDirectory(path: string): void {
  const parent = dirname(path)
  if (!existsSync(parent) && parent !== path) makeDirectory(parent)
  mkdirSync(path)
}

function takeLock(directory: string): DatabaseSync {
  const lockFile = join(directory, 'service.lock')
  // Anyone who can open the file can hold the lock.
  writeFileSync(lockFile, '', { flag: 'a', mode: 0o600 })
  const lock = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    lock.exec('pragma journal_mode = off; begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    const isHeld = error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
    throw isHeld ? inUse(directory, error) : error
  }
}

function inUse(directory: string, cause?: Error): StartupError {
  const ownerFile = ownerFileOf(directory)
  const owner = existsSync(ownerFile) ? ` (process ${readFileSync(ownerFile, 'utf8').trim()})` : ''
  const message = `The data directory ${directory} is in use by another running service${owner}.`
  return new StartupError(message, { cause })
}

function ownerFileOf(directory: string): string {
  return join(directory, 'service.pid')
}
