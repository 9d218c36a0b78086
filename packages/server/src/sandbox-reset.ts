import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Connection } from './platform/db/connection.ts'
import { forgetMissingCluster } from './platform/db/embedded/postgres-home.ts'
import { syncFolder } from './platform/disk/private.ts'

/**
 * A reset is requested by a mark in the data directory and done at the next start, before anything is read. The mark goes
 * last, so that a process that dies in between does it again, and nothing is ever half thrown away. It comes and goes on
 * the disk itself: what is made under it may be lost in a power cut, and the mark may not.
 */
export async function askForReset(dataDir: string): Promise<void> {
  await writeFile(markOf(dataDir), '', { flush: true })
  await syncFolder(dataDir)
}

/** For what was to be thrown away only if it did not come to its end. */
export async function withdrawReset(dataDir: string): Promise<void> {
  await rm(markOf(dataDir))
  await syncFolder(dataDir)
}

export const isResetAskedFor = (dataDir: string): boolean => existsSync(markOf(dataDir))

/** What is not in the database: the chain, the files, and the secrets, so that old sessions end as well. */
export const sandboxFiles = ['chain', 'files', 'secrets.json'] as const

export async function removeResetFiles(dataDir: string): Promise<void> {
  if (!isResetAskedFor(dataDir)) return
  for (const name of sandboxFiles) await rm(join(dataDir, name), { recursive: true, force: true })
  await forgetMissingCluster(dataDir)
}

/** Empties the database and takes the mark away. */
export async function finishReset(dataDir: string, connection: Connection): Promise<void> {
  if (!isResetAskedFor(dataDir)) return
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query('drop schema if exists pgboss cascade')
    await client.query('drop schema public cascade')
    await client.query('create schema public')
  } finally {
    await client.end()
  }
  await withdrawReset(dataDir)
}

const markOf = (dataDir: string) => join(dataDir, 'reset-asked-for')
