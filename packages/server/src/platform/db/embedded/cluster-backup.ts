import { chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { copyInto } from '../../disk/copy-tree.ts'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../disk/private.ts'
import type { Connection } from '../connection.ts'

/** What belongs to the running server alone. Of the log only what the copy needs is added, at the end. */
const leftOut = new Set(['pg_wal', 'postmaster.pid', 'postmaster.opts'])

interface BackupOptions {
  connection: Connection
  cluster: string
  /** A folder that is not there yet. */
  target: string
}

/**
 * Copies the cluster of a running server, as PostgreSQL's documentation describes a base backup: a checkpoint, the files, then
 * the log that was written meanwhile. A server that starts on the copy brings it to the state of the end, and syncs it first.
 */
export async function backUpCluster({ connection, cluster, target }: BackupOptions): Promise<void> {
  const { uid, gid } = await stat(cluster)
  const makeFolder = async (path: string): Promise<void> => {
    await mkdir(path, { mode: PRIVATE_FOLDER })
    await chown(path, uid, gid)
  }
  const log = join(target, 'pg_wal')
  await makeFolder(target)
  await makeFolder(log)
  const client = new Client(connection)
  // A server that ends meanwhile fails the next statement.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`select pg_backup_start('prepared', fast => true)`)
    const names = (await readdir(cluster)).filter((name) => !leftOut.has(name))
    await copyInto(
      target,
      names.map((name) => join(cluster, name)),
    )
    const { rows } = await client.query<{ label: string; last: string }>(
      'select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)',
    )
    const [{ label, last } = { label: '', last: '' }] = rows
    const segments = (await readdir(join(cluster, 'pg_wal'))).filter(
      (name) => /^[0-9A-F]{24}$/.test(name) && name >= firstSegmentOf(label) && name <= last,
    )
    await copyInto(
      log,
      segments.map((name) => join(cluster, 'pg_wal', name)),
    )
    const labelFile = join(target, 'backup_label')
    await writeFile(labelFile, label, { mode: PRIVATE_FILE })
    await chown(labelFile, uid, gid)
  } finally {
    await client.end()
  }
}

function firstSegmentOf(label: string): string {
  const segment = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1]
  if (segment === undefined) throw new Error('the label of the backup names no segment of the log')
  return segment
}
