import { clientsOf } from './etcd.ts'
import type { Machine } from './machines.ts'

export interface PatroniOptions {
  machine: Machine
  machines: readonly Machine[]
  folder: string
  binDirectory: string
  password: string
  /** False: the standbys follow when they can, and the primary does not wait for them. */
  isSynchronous: boolean
  /** The folder that the primary archives its log in. */
  archive?: string
}

/**
 * A lost machine is noticed after `ttl`, a lost PostgreSQL within `loop_wait`. Patroni requires
 * `loop_wait + 2 * retry_timeout <= ttl`, so that a primary which cannot renew its key stops before another one is chosen.
 */
export const timing = { ttl: 8, loopWait: 2, retryTimeout: 3 }

/** The settings of one Patroni, as docs/failover.md recommends them. JSON is YAML. */
export function patroniSettings({ machine, machines, folder, ...options }: PatroniOptions): string {
  const { host, ports, name } = machine
  const { password, isSynchronous, archive } = options
  const account = (username: string) => ({ username, password })
  return JSON.stringify(
    {
      scope: 'marketplace',
      name,
      restapi: { listen: `${host}:${ports.patroni}`, connect_address: `${host}:${ports.patroni}` },
      // By etcd's older protocol. With the newer one, Patroni before 3.0.3 overwrites the leader's key without a comparison when
      // its lease has expired: a former primary whose link comes back takes the key from the new one.
      etcd: { hosts: machines.map((each) => clientsOf(each).replace('http://', '')) },
      bootstrap: {
        dcs: {
          ttl: timing.ttl,
          loop_wait: timing.loopWait,
          retry_timeout: timing.retryTimeout,
          // A PostgreSQL that crashed is replaced at once, and not waited for while it recovers.
          primary_start_timeout: 0,
          maximum_lag_on_failover: 64 * 1024 * 1024,
          synchronous_mode: isSynchronous,
          synchronous_mode_strict: isSynchronous,
          // While etcd is away, the primary goes on for as long as all others confirm that it is the one.
          failsafe_mode: true,
          postgresql: {
            use_pg_rewind: true,
            use_slots: true,
            parameters: archive === undefined ? parameters : { ...parameters, ...archivingTo(archive) },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
        pg_hba: [
          'local all all trust',
          'host replication all 0.0.0.0/0 scram-sha-256',
          'host all all 0.0.0.0/0 scram-sha-256',
        ],
      },
      postgresql: {
        listen: `${host}:${ports.postgres}`,
        connect_address: `${host}:${ports.postgres}`,
        data_dir: `${folder}/data`,
        bin_dir: options.binDirectory,
        pgpass: `${folder}/pgpass`,
        // A former primary whose history differs is copied again where it cannot be rewound.
        remove_data_directory_on_rewind_failure: true,
        remove_data_directory_on_diverged_timelines: true,
        authentication: {
          superuser: account('postgres'),
          replication: account('replicator'),
          rewind: account('rewinder'),
        },
        parameters: { unix_socket_directories: folder },
      },
      watchdog: { mode: 'off' },
    },
    null,
    2,
  )
}

/**
 * One program, although it is a shell: a former primary that comes back is rewound, and before that its Patroni archives what
 * is missing by this command, without a shell. A segment that is there already is not overwritten.
 */
const archivingTo = (folder: string) => ({
  archive_mode: 'on',
  archive_command: `sh -c "test -f ${folder}/%f && exec cmp -s %p ${folder}/%f; cp %p ${folder}/%f.new && mv ${folder}/%f.new ${folder}/%f"`,
})

const parameters = {
  max_connections: 250,
  shared_buffers: '64MB',
  wal_keep_size: '512MB',
  wal_log_hints: 'on',
  // A standby whose primary is gone looks for the next one at once.
  wal_receiver_timeout: '5s',
  wal_sender_timeout: '5s',
  wal_retrieve_retry_interval: '500ms',
  // Connections whose client is gone are given up, so that they do not hold locks.
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: '10s',
  client_connection_check_interval: '2s',
}
