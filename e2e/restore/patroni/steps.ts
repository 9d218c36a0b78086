import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Children } from '../../failover/children.ts'
import type { Cluster } from '../../failover/cluster/cluster.ts'
import type { Machine } from '../../failover/cluster/machines.ts'
import { postgresPrograms } from '../../failover/packages.ts'
import { waitFor } from '../../failover/wait.ts'
import { patronictl, runOn } from './commands.ts'

const STOP_LIMIT_MS = 60_000
const RECOVERY_LIMIT_MS = 120_000
const CLUSTER_LIMIT_MS = 60_000
const SCOPE = 'marketplace'

export interface Restore {
  children: Children
  cluster: Cluster
  archive: string
  base: string
  /** As PostgreSQL writes it, with its zone. */
  moment: string
  /** Where the backup is restored; the others copy it. */
  machine: Machine
}

/** The steps of docs/operations.md for a cluster under Patroni, with their numbers there. */
export const steps: Record<string, (restore: Restore) => Promise<void>> = {
  async '2. Patroni stopped'({ cluster: { postgres, machines } }) {
    const primary = await postgres.primary()
    const standbys = machines.all.filter((machine) => machine !== primary)
    for (const machine of [...standbys, primary]) {
      await postgres.stop(machine)
      await waitFor(
        `PostgreSQL of ${machine.name} to end`,
        STOP_LIMIT_MS,
        async () => postgres.processesOf(machine).length === 0,
      )
    }
  },

  async '3. backup in place'({ cluster, archive, base, moment, machine }) {
    const { data } = cluster.postgres.filesOf(machine)
    await moveAway(cluster, machine)
    await runOn(machine, ['cp', '-a', base, data])
    await appendFile(
      join(data, 'postgresql.auto.conf'),
      [
        `restore_command = 'cp ${archive}/%f %p'`,
        `recovery_target_time = '${moment}'`,
        "recovery_target_action = 'promote'",
        '',
      ].join('\n'),
    )
    await runOn(machine, ['touch', join(data, 'recovery.signal')])
  },

  async '4. log replayed'({ children, cluster, machine }) {
    const { folder, data } = cluster.postgres.filesOf(machine)
    const settings = {
      listen_addresses: '',
      archive_mode: 'off',
      // The backup has those of the member that it came from.
      port: machine.ports.postgres,
      hba_file: join(data, 'pg_hba.conf'),
      ident_file: join(data, 'pg_ident.conf'),
      unix_socket_directories: folder,
    }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const command = machine.run([join(postgresPrograms(), 'postgres'), '-D', data, ...options])
    const name = `recovery-${machine.name}`
    const server = children.start(name, command)
    const ended = server.exited.then(() => {
      throw new Error(`PostgreSQL ended before its recovery: ${name}.log`)
    })
    await Promise.race([
      ended,
      waitFor('the end of the recovery', RECOVERY_LIMIT_MS, () => hasRecovered(folder, machine)),
    ])
    // A fast stop.
    await server.end('SIGINT')
  },

  async '5. settings of the recovery removed'({ cluster, machine }) {
    const { data } = cluster.postgres.filesOf(machine)
    const pattern = '/^\\(restore_command\\|recovery_target_.*\\) /d'
    await runOn(machine, ['sed', '-i', pattern, join(data, 'postgresql.auto.conf')])
  },

  async '6. old cluster removed from etcd'({ cluster, machine }) {
    await patronictl(cluster, machine, ['remove', SCOPE], `${SCOPE}\nYes I am aware\n`)
  },

  async '7. Patroni started on one member'({ cluster, machine }) {
    cluster.postgres.start(machine)
    await cluster.postgres.primary()
    await waitFor('synchronous_mode_strict in show-config', CLUSTER_LIMIT_MS, async () => {
      const shown = await patronictl(cluster, machine, ['show-config', SCOPE])
      return ['synchronous_mode: true', 'synchronous_mode_strict: true'].every((line) =>
        shown.split('\n').includes(line),
      )
    })
  },

  async '8. others started empty'({ cluster, machine }) {
    for (const other of cluster.machines.all.filter((one) => one !== machine)) {
      await moveAway(cluster, other)
      cluster.postgres.start(other)
    }
  },

  async '9. synchronous standby'({ cluster, machine }) {
    await waitFor('a synchronous standby', CLUSTER_LIMIT_MS, async () =>
      (await patronictl(cluster, machine, ['list', SCOPE])).includes('Sync Standby'),
    )
    await cluster.postgres.untilWhole()
  },
}

async function moveAway({ postgres }: Cluster, machine: Machine): Promise<void> {
  const { data } = postgres.filesOf(machine)
  await runOn(machine, ['mv', data, `${data}.before`])
}

async function hasRecovered(host: string, { ports }: Machine): Promise<boolean> {
  const client = new pg.Client({ host, port: ports.postgres, user: 'postgres', database: 'postgres' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query('select not pg_is_in_recovery() as has_recovered')
    return rows[0].has_recovered
  } finally {
    await client.end()
  }
}
