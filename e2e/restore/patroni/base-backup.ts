import { join } from 'node:path'
import type { Cluster } from '../../failover/cluster/cluster.ts'
import { createFolder, type Machine } from '../../failover/cluster/machines.ts'
import { postgresPrograms } from '../../failover/packages.ts'
import { runOn } from './commands.ts'

/** By the program that the document names, over the network, from this member to another machine. */
export async function takeBaseBackup(
  { machines, databaseUrl }: Cluster,
  source: Machine,
  directory: string,
): Promise<string> {
  const target = join(createFolder(join(directory, 'backup')), 'base')
  const from = ['-h', source.host, '-p', String(source.ports.postgres), '-U', 'replicator']
  const taker = machines.all.find((machine) => machine !== source) ?? source
  await runOn(
    taker,
    [join(postgresPrograms(), 'pg_basebackup'), ...from, '-D', target, '-X', 'none', '-c', 'fast'],
    { environment: { PGPASSWORD: new URL(databaseUrl).password } },
  )
  return target
}
