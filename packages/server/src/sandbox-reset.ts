import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Connection } from './platform/db/connection.ts'

/**
 * A reset is asked for by a mark in the data directory and done at the next start, before anything is read. The mark goes
 * last, so that a process that dies in between does it again, and nothing is ever half thrown away.
 */
export function askForReset(dataDir: string): void {
  writeFileSync(markOf(dataDir), '')
}

/** For what was to be thrown away only if it did not come to its end. */
export function withdrawReset(dataDir: string): void {
  rmSync(markOf(dataDir))
}

/** What is not in the database: the chain, the files, and the secrets, so that old sessions end as well. */
export async function removeResetFiles(dataDir: string): Promise<void> {
  if (!existsSync(markOf(dataDir))) return
  for (const name of ['chain', 'files', 'secrets.json']) {
    await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Empties the database and takes the mark away. */
export async function finishReset(dataDir: string, connection: Connection): Promise<void> {
  if (!existsSync(markOf(dataDir))) return
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query('drop schema if exists pgboss cascade')
    await client.query('drop schema public cascade')
    await client.query('create schema public')
  } finally {
    await client.end()
  }
  withdrawReset(dataDir)
}

const markOf = (dataDir: string) => join(dataDir, 'reset-asked-for')
