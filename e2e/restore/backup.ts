import { execFile } from 'node:child_process'
import { appendFile, chmod, chown, cp, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { lockDataDirectory } from '../../packages/server/src/platform/db/data-directory.ts'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/db/embedded/embedded-postgres.ts'
import { readPostmasterFile } from '../../packages/server/src/platform/db/embedded/postgres-leftover.ts'

/** Everything of a data directory that lies beside the database: appended to or added, never changed. */
const besideDatabase = ['chain', 'files', 'secrets.json']

const log = pino({ level: 'silent' })
const clusterOf = (dataDir: string): string => join(dataDir, 'postgres')

/** Makes the database of a data directory and lets it archive its log from the first write on. */
export async function prepareArchiving(dataDir: string, archive: string): Promise<void> {
  await startAndStop(dataDir)
  await mkdir(archive)
  const { uid, gid } = await stat(clusterOf(dataDir))
  await chown(archive, uid, gid)
  await appendFile(
    join(clusterOf(dataDir), 'postgresql.conf'),
    `archive_mode = on\narchive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'\n`,
  )
}

export async function connectTo(dataDir: string): Promise<pg.Client> {
  const server = await readPostmasterFile(clusterOf(dataDir))
  if (!server) throw new Error(`no database runs in ${dataDir}`)
  const client = new pg.Client({ host: server.socketDir, user: 'postgres', database: 'postgres' })
  // It is going to be killed.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** A base backup by the calls that PostgreSQL has for it, while it is written to: no program is needed but `cp`. */
export async function takeBaseBackup(client: pg.Client, dataDir: string, target: string): Promise<void> {
  await mkdir(target, { mode: 0o700 })
  await client.query(`select pg_backup_start('base', true)`)
  const entries = (await readdir(clusterOf(dataDir))).filter(
    (name) => name !== 'pg_wal' && !name.startsWith('postmaster.'),
  )
  for (const entry of entries) await copyLive(join(clusterOf(dataDir), entry), join(target, entry))
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
  await writeFile(join(target, 'backup_label'), rows[0]?.labelfile ?? '')
  await mkdir(join(target, 'pg_wal', 'archive_status'), { recursive: true })
  const { uid, gid } = await stat(clusterOf(dataDir))
  await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, target])
}

/** A file may go away while its folder is copied: the log that is replayed says so too. */
async function copyLive(source: string, target: string): Promise<void> {
  await promisify(execFile)('cp', ['-pR', source, target]).catch((error: { stderr?: string }) => {
    const complaints = (error.stderr ?? '').trim().split('\n')
    if (!complaints.every((line) => /No such file or directory$/.test(line))) throw error
  })
}

/** Copies what lies beside the database, and then notes the moment: so the books are never older than the chain. */
export async function noteMoment(client: pg.Client, dataDir: string, target: string): Promise<Date> {
  await mkdir(target)
  for (const name of besideDatabase) await cp(join(dataDir, name), join(target, name), { recursive: true })
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  return rows[0]?.now ?? new Date()
}

/** The log up to now is in the archive when this returns. */
export async function archiveLog(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ segment: string }>(
    'select pg_walfile_name(pg_switch_wal()) as segment',
  )
  const segment = rows[0]?.segment ?? ''
  for (;;) {
    const { rows: archived } = await client.query<{ last: string | null }>(
      'select last_archived_wal as last from pg_stat_archiver',
    )
    if ((archived[0]?.last ?? '') >= segment) return
    await delay(50)
  }
}

/** As when the machine is gone: its service has been killed, and it runs on without one. */
export async function killDatabase(dataDir: string): Promise<void> {
  const server = await readPostmasterFile(clusterOf(dataDir))
  if (server) process.kill(server.pid, 'SIGKILL')
}

interface Restore {
  base: string
  archive: string
  /** What lay beside the database at that moment. */
  beside: string
  moment: Date
  dataDir: string
}

/** A data directory as it was at the moment. PostgreSQL replays its log up to there, and is stopped again. */
export async function restore({ base, archive, beside, moment, dataDir }: Restore): Promise<void> {
  await mkdir(dataDir)
  await chmod(dataDir, 0o711)
  await cp(beside, dataDir, { recursive: true })
  const cluster = clusterOf(dataDir)
  await promisify(execFile)('cp', ['-pR', base, cluster])
  await appendFile(
    join(cluster, 'postgresql.auto.conf'),
    [
      'archive_mode = off',
      `restore_command = 'cp ${archive}/%f %p'`,
      // Names of time zones, and Z is one, are not known yet when this is read.
      `recovery_target_time = '${moment.toISOString().replace('Z', '+00')}'`,
      "recovery_target_action = 'promote'",
      '',
    ].join('\n'),
  )
  const signal = join(cluster, 'recovery.signal')
  await writeFile(signal, '')
  const { uid, gid } = await stat(cluster)
  await chown(signal, uid, gid)
  await startAndStop(dataDir)
}

/** Until it takes writes: a server that still replays its log serves reads before. */
async function startAndStop(path: string): Promise<void> {
  const dataDir = lockDataDirectory(path)
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  try {
    const client = await connectTo(path)
    for (;;) {
      const { rows } = await client.query('select pg_is_in_recovery() as is_replaying')
      if (!rows[0]?.is_replaying) break
      await delay(20)
    }
    await client.end()
  } finally {
    await postgres.stop()
    dataDir.release()
  }
}
