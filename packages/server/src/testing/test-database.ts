import { pino } from 'pino'
import { inject } from 'vitest'
import type { Connection } from '../platform/db/connection.ts'
import { createDatabase, type Database } from '../platform/db/database.ts'
import { migrate, migrationsDirectory } from '../platform/db/migrate.ts'
import { PATIENCE_MS } from './patience.ts'
import { copyDatabase, createDatabaseIn, dropDatabase, withDatabase } from './template-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    testDatabase: { connection: Connection; templateName: string }
    /** A stopped cluster with an empty, migrated database, to be copied. Null where the run was given a database. */
    preparedCluster: string | null
  }
}

export interface TestDatabase {
  readonly db: Database
  readonly connection: Connection
  close(): Promise<void>
}

interface TestDatabaseOptions {
  poolSize?: number
  /** Sorts texts as in this language; by their bytes without it. */
  locale?: string
}

/** A migrated database of the test file's own. Close it in `afterAll`. */
export async function createTestDatabase({
  poolSize = 10,
  locale,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { connection: server, templateName } = inject('testDatabase')
  const log = pino({ level: 'silent' })
  const name =
    locale === undefined ? await copyDatabase(server, templateName) : await createDatabaseIn(server, locale)
  const connection = withDatabase(server, name)
  if (locale !== undefined) await migrate({ connection, directory: migrationsDirectory, log })
  const db = createDatabase({
    connection,
    poolSize,
    log,
    connectTimeoutMs: PATIENCE_MS,
    statementTimeoutMs: PATIENCE_MS,
  })
  return {
    db,
    connection,
    async close() {
      await db.close()
      await dropDatabase(server, name)
    },
  }
}
