import { argv, setgid, setuid, stdout } from 'node:process'
import { pino } from 'pino'
import { lockDataDirectory } from '../../platform/db/data-directory.ts'
import { startEmbeddedPostgres } from '../../platform/db/embedded/embedded-postgres.ts'
import { StartupError } from '../../platform/db/startup-error.ts'

/**
 * A service reduced to its database, as a process that tests can kill: `run-service.ts <data directory> [<uid> <gid>]`.
 * It prints one line of JSON, either its connection or why it did not start, and runs until SIGTERM.
 */
const [, , directory = '', uid, gid] = argv
// Privileges are dropped only here, so that the program loads also from a checkout that the other account cannot enter.
if (gid !== undefined) setgid?.(Number(gid))
if (uid !== undefined) setuid?.(Number(uid))

try {
  const dataDir = lockDataDirectory(directory)
  const postgres = await startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) })
  process.once('SIGTERM', async () => {
    await postgres.stop()
    dataDir.release()
  })
  stdout.write(`${JSON.stringify({ connection: postgres.connection })}\n`)
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  stdout.write(`${JSON.stringify({ refusal: error.userMessage })}\n`)
}
