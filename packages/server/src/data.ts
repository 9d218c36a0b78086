import type { Config } from './config/config.ts'
import type { Connection } from './platform/db/connection.ts'
import { type DataDirectory, lockDataDirectory } from './platform/db/data-directory.ts'
import { startEmbeddedPostgres } from './platform/db/embedded/embedded-postgres.ts'
import { StartupError } from './platform/db/startup-error.ts'
import type { Log } from './platform/log/log.ts'
import { removeResetFiles } from './sandbox-reset.ts'

/** Something that was opened and must be closed again, in the opposite order. */
export type Closer = () => Promise<void> | void

/** Where everything is kept: the data directory, taken for this process alone, and the database that goes with it. */
export interface OpenedData {
  dataDir: DataDirectory
  /** An embedded one is there once it has been made and started. */
  server: Promise<Connection>
}

/** Needs few modules, so that an embedded database starts while those of the service are still being loaded. */
export async function openData(config: Config, log: Log, closers: Closer[]): Promise<OpenedData> {
  if (config.mode === 'sandbox' && config.role !== 'all')
    throw new StartupError('Cannot start: a sandbox is one process. ROLE needs MODE=production.')
  const dataDir = lockDataDirectory(config.dataDir)
  closers.push(() => dataDir.release())
  if (isAllEmbedded(config)) await removeResetFiles(dataDir.path)
  const { databaseUrl } = config
  if (databaseUrl) return { dataDir, server: Promise.resolve({ connectionString: databaseUrl }) }
  const starting = startEmbeddedPostgres({ dataDir, log })
  closers.push(async () => (await starting.catch(() => undefined))?.stop())
  const server = starting.then(({ connection }) => connection)
  // A failure is thrown where the connection is awaited, which may be later.
  server.catch(() => undefined)
  return { dataDir, server }
}

export const isAllEmbedded = ({ databaseUrl, chain }: Config): boolean =>
  databaseUrl === undefined && chain === undefined
