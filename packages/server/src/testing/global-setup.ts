import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BaseLogger, pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { type DataDirectory, lockDataDirectory } from '../platform/db/data-directory.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded/embedded-postgres.ts'
import { dataHome } from './processes/data-home.ts'
import { buildTemplate, fillDatabase } from './template-database.ts'

/** One throw-away cluster serves the whole test run; every test file gets a copy of the migrated template in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = pino({ level: 'warn' })
  const given = process.env.TEST_DATABASE_URL
  if (given !== undefined) {
    const connection = { connectionString: given }
    const template = await buildTemplate(connection, log)
    project.provide('testDatabase', { connection, templateName: template.name })
    project.provide('preparedCluster', null)
    return template.drop
  }

  // A place that every account can enter, so that also root keeps the cluster inside and removes it with the rest.
  const directory = await mkdtemp(join(dataHome(), 'test-database-'))
  await chmod(directory, 0o711)
  const dataDir = lockDataDirectory(directory)
  project.provide('preparedCluster', await prepareCluster(dataDir, log))
  const postgres = await startEmbeddedPostgres({ dataDir, log, isDurable: false })
  const stop = async () => {
    await postgres.stop()
    dataDir.release()
    await rm(directory, { recursive: true })
  }
  try {
    const template = await buildTemplate(postgres.connection, log)
    project.provide('testDatabase', { connection: postgres.connection, templateName: template.name })
  } catch (error) {
    // Nobody calls what a failed setup would have returned: a migration that fails must not leave a server behind.
    await stop()
    throw error
  }
  return stop
}

/** The cluster as the first start of a service leaves it, migrated and stopped, for every service that a test starts. */
async function prepareCluster(dataDir: DataDirectory, log: BaseLogger): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, log, isDurable: false })
  try {
    await fillDatabase(postgres.connection, log)
  } finally {
    await postgres.stop()
  }
  const prepared = join(dataDir.path, 'prepared')
  await promisify(execFile)('cp', ['-pR', join(dataDir.path, 'postgres'), prepared])
  return prepared
}
