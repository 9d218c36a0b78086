import { existsSync, readdirSync } from 'node:fs'
import type { Config } from './config/config.ts'
import type { Connection } from './platform/db/connection.ts'
import { type DataDirectory, lockDataDirectory } from './platform/db/data-directory.ts'
import { startEmbeddedPostgres } from './platform/db/embedded/embedded-postgres.ts'
import { StartupError } from './platform/db/startup-error.ts'
import type { Log } from './platform/log/log.ts'
import {
  discardCopy,
  fillFrom,
  openPreparedSandboxes,
  type PreparedSandboxes,
} from './prepared/prepared-sandboxes.ts'
import { removeAbandoned } from './prepared/workshop.ts'
import { askForReset, isResetAskedFor, removeResetFiles, withdrawReset } from './sandbox-reset.ts'

/** Something that was opened and must be closed again, in the opposite order. */
export type Closer = () => Promise<void> | void

/** Where everything is kept: the data directory, taken for this process alone, and the database that goes with it. */
export interface OpenedData {
  dataDir: DataDirectory
  /** An embedded one is there once it has been made and started. */
  server: Promise<Connection>
  /** Whether it began now, as a copy of a sandbox that was made before. */
  isCopied: boolean
  /** For a sandbox that is made now: keeps a copy for later ones, once it is made and before it is used. */
  keepCopy?: () => Promise<void>
}

interface OpenDataOptions {
  /** False for an embedded database that is thrown away: it need not wait for the disk. */
  isDurable?: boolean
}

/** Needs few modules, so that an embedded database starts while those of the service are still being loaded. */
export async function openData(
  config: Config,
  log: Log,
  closers: Closer[],
  { isDurable = true }: OpenDataOptions = {},
): Promise<OpenedData> {
  checkRole(config)
  const dataDir = lockDataDirectory(config.dataDir)
  closers.push(() => dataDir.release())
  const { databaseUrl } = config
  if (databaseUrl)
    return { dataDir, server: Promise.resolve({ connectionString: databaseUrl }), isCopied: false }
  const prepared =
    isAllEmbedded(config) && isToBeMade(dataDir.path) ? openPreparedSandboxes(config, log) : undefined
  if (prepared) await removeAbandoned(prepared.home, log)
  const copied = prepared && (await beginAsCopy(prepared, dataDir, log))
  const isCopied = copied !== undefined
  if (isAllEmbedded(config) && !isCopied) await removeResetFiles(dataDir.path)
  const spawned = Promise.withResolvers<void>()
  const starting = startEmbeddedPostgres({ dataDir, log, isDurable, onSpawn: spawned.resolve })
  closers.push(async () => (await starting.catch(() => undefined))?.stop())
  // One that does not start would not start tomorrow either.
  if (isCopied) starting.catch(() => discardCopy(copied)).catch(() => undefined)
  const server = starting.then(async ({ connection }) => {
    // The server has synced what it was given: from here on nothing is thrown away.
    if (isCopied) await withdrawReset(dataDir.path)
    return connection
  })
  // A failure is thrown where the connection is awaited, which may be later.
  server.catch(() => undefined)
  // To load the service keeps this thread busy: the database works meanwhile if its process has begun before.
  await Promise.race([spawned.promise, starting.catch(() => undefined)])
  if (!prepared || isCopied) return { dataDir, server, isCopied }
  const keepCopy = async () => prepared.keep({ dataDir, ...(await starting) })
  return { dataDir, server, isCopied, keepCopy }
}

export function checkRole({ mode, role }: Pick<Config, 'mode' | 'role'>): void {
  if (mode === 'sandbox' && role !== 'all')
    throw new StartupError('Cannot start: a sandbox is one process. ROLE needs MODE=production.')
}

export const isAllEmbedded = ({ databaseUrl, chain }: Config): boolean =>
  databaseUrl === undefined && chain === undefined

/** Nothing is there but the lock, or what is there goes. What cannot be listed is for the start to judge. */
export function isToBeMade(dataDir: string): boolean {
  if (!existsSync(dataDir) || isResetAskedFor(dataDir)) return true
  try {
    return readdirSync(dataDir).every((name) => name.startsWith('service.'))
  } catch {
    return false
  }
}

/** Returns the copy that was taken. What a crash interrupts is thrown away by the next start, as after a reset. */
async function beginAsCopy(
  prepared: PreparedSandboxes,
  dataDir: DataDirectory,
  log: Log,
): Promise<string | undefined> {
  const copy = prepared.find()
  if (copy === undefined) return undefined
  try {
    await askForReset(dataDir.path)
    await removeResetFiles(dataDir.path)
    await fillFrom(copy, dataDir, log)
    return copy
  } catch (error) {
    log.warn({ err: error }, 'the prepared sandbox could not be copied; a new one is made')
    return undefined
  }
}
