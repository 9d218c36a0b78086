import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { endOnSignals } from '../../../scripts/testing/end-on-signals.ts'
import type { Connection } from '../src/platform/db/connection.ts'
import { lockDataDirectory } from '../src/platform/db/data-directory.ts'
import { startEmbeddedPostgres } from '../src/platform/db/embedded/embedded-postgres.ts'

export interface ThrowAwayPostgres {
  connection: Connection
  close(): Promise<void>
}

interface ThrowAwayOptions {
  /** Commits wait for the disk, as they do in use. */
  isDurable?: boolean
  /** Puts something there to start on. */
  fill?: (cluster: string) => Promise<void>
}

/** A PostgreSQL for one long run, in a folder of its own. Both go with the run, also when that is interrupted. */
export async function startThrowAwayPostgres(
  name: string,
  { isDurable = false, fill }: ThrowAwayOptions = {},
): Promise<ThrowAwayPostgres> {
  const directory = await mkdtemp(`/tmp/${name}-`)
  await chmod(directory, 0o711)
  const dataDir = lockDataDirectory(directory)
  let closing: Promise<void> | undefined
  const start = async () => {
    await fill?.(join(directory, 'postgres'))
    if (closing) throw new Error('interrupted')
    return startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }), isDurable })
  }
  const starting = start()
  const close = async (): Promise<void> => {
    // A server that is still starting can be stopped once it has started.
    const postgres = await starting.catch(() => undefined)
    await postgres?.stop()
    dataDir.release()
    await rm(directory, { recursive: true, force: true })
  }
  const closeOnce = (): Promise<void> => {
    closing ??= close()
    return closing
  }
  endOnSignals(closeOnce)
  try {
    const { connection } = await starting
    return { connection, close: closeOnce }
  } catch (error) {
    await closeOnce()
    throw error
  }
}
