import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { migrate, migrationsDirectory } from '../platform/db/migrate.ts'
import { sql } from '../platform/db/sql.ts'
import { createTestDatabase } from './test-database.ts'

/** The first schema that had everything from sign-in to webhooks. */
const FIRST_SCHEMA = 12

const log = pino({ level: 'silent' })

export type FirstSchema = Awaited<ReturnType<typeof startFirstSchema>>

/** A database as the first release had it, until it is migrated. */
export async function startFirstSchema() {
  const database = await createTestDatabase({ poolSize: 25 })
  const { db, connection } = database
  const early = await mkdtemp(join(tmpdir(), 'first-schema-'))
  const files = (await readdir(migrationsDirectory)).filter((file) => file.endsWith('.sql')).sort()
  for (const file of files.slice(0, FIRST_SCHEMA))
    await cp(join(migrationsDirectory, file), join(early, file))
  await db.run(sql`drop schema public cascade`)
  await db.run(sql`create schema public`)
  await migrate({ connection, directory: early, log })
  await rm(early, { recursive: true })
  return {
    ...database,
    migrate: () => migrate({ connection, directory: migrationsDirectory, log }),
  }
}
