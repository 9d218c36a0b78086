import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { migrate, migrationsDirectory } from '../../platform/db/migrate.ts'
import { sql } from '../../platform/db/sql.ts'
import { startEmbeddedChain } from '../../ports/chain/embedded.ts'
import { createTestDatabase } from '../test-database.ts'
import migrations from './migrations.json' with { type: 'json' }

/** Every wallet of the recorded sandbox is derived from it. */
export const FIRST_RELEASE_SEED = '11'.repeat(32)

/** When the recorded service stopped. */
const STOPPED_AT = new Date('2026-11-19T01:17:00Z')

const log = pino({ level: 'silent' })

export type FirstRelease = Awaited<ReturnType<typeof startFirstRelease>>

/** An empty database as the first release made it, until it is migrated. */
export async function startFirstRelease() {
  const database = await createTestDatabase({ poolSize: 25 })
  const { db, connection } = database
  const directory = await mkdtemp(join(tmpdir(), 'first-release-'))
  for (const name of migrations)
    await cp(join(migrationsDirectory, `${name}.sql`), join(directory, `${name}.sql`))
  await db.run(sql`drop schema public cascade`)
  await db.run(sql`create schema public`)
  await migrate({ connection, directory, log })
  await rm(directory, { recursive: true })
  return {
    ...database,
    migrate: () => migrate({ connection, directory: migrationsDirectory, log }),

    /**
     * What the code of 0.1.0 (3cdaea66) wrote: demo data of six agents, a subscription and a webhook. Sessions, stored
     * responses and the keys of the agents' wallets are left out.
     */
    async restoreRows(): Promise<void> {
      const rows = gunzipSync(await readFile(join(import.meta.dirname, 'rows.sql.gz'))).toString()
      // Triggers have run where the rows were written, and these come in the order of their tables' names.
      await db.pool.query(`begin; set local session_replication_role = replica; ${rows} commit`)
      await db.rows(sql`
        select setval(quote_ident(sequencename)::regclass, 1000000) from pg_sequences where schemaname = 'public'`)
    },
  }
}

/** The chain that belongs to those rows, whose time stands still until a test moves it. */
export async function startFirstReleaseChain() {
  const dataDir = await mkdtemp(join(tmpdir(), 'first-release-chain-'))
  await mkdir(join(dataDir, 'chain'))
  await cp(join(import.meta.dirname, 'chain-journal'), join(dataDir, 'chain/journal'))
  const realNowMs = () => STOPPED_AT.getTime()
  const chain = await startEmbeddedChain({ dataDir, seed: FIRST_RELEASE_SEED, realNowMs })
  return {
    ...chain,
    async close() {
      await chain.close()
      await rm(dataDir, { recursive: true })
    },
  }
}
