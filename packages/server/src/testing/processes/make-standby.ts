import { appendFile, chown, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connection } from '../../platform/db/connection.ts'

/** A copy of a cluster follows the one that it names once it is started. */
export async function makeStandby(cluster: string, { host, port, user }: Connection): Promise<void> {
  const { uid, gid } = await stat(cluster)
  const signal = join(cluster, 'standby.signal')
  await writeFile(signal, '')
  await chown(signal, uid, gid)
  const primary = `host=${host} port=${port} user=${user}`
  await appendFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`)
}
