import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Connection } from '../../packages/server/src/platform/db/connection.ts'
import { lockDataDirectory } from '../../packages/server/src/platform/db/data-directory.ts'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/db/embedded/embedded-postgres.ts'

export interface ThrowawayPostgres {
  connection: Connection
  /** Removes it too. */
  stop(): Promise<void>
}

/** A PostgreSQL in a folder of its own: a new one, or what `fill` puts there. */
export async function startThrowawayPostgres(
  name: string,
  fill?: (cluster: string) => Promise<void>,
): Promise<ThrowawayPostgres> {
  const directory = await mkdtemp(`/tmp/${name}-bench-`)
  await chmod(directory, 0o711)
  await fill?.(join(directory, 'postgres'))
  const dataDir = lockDataDirectory(directory)
  const { connection, stop } = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'warn' }) })
  return {
    connection,
    async stop() {
      await stop()
      dataDir.release()
      await rm(directory, { recursive: true })
    },
  }
}
