import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import {
  startThrowAwayPostgres,
  type ThrowAwayPostgres,
} from '../../packages/server/scripts/throw-away-postgres.ts'
import type { Connection } from '../../packages/server/src/platform/db/connection.ts'
import { backUpCluster } from '../../packages/server/src/platform/db/embedded/cluster-backup.ts'
import { makeStandby } from '../../packages/server/src/testing/processes/make-standby.ts'

/** A streaming standby on this machine, begun as a copy of the running primary. */
export async function startStandbyOf(primary: Connection): Promise<ThrowAwayPostgres> {
  const fill = async (target: string) => {
    await backUpCluster({ connection: primary, cluster: await clusterOf(primary), target })
    await makeStandby(target, primary)
  }
  const standby = await startThrowAwayPostgres('standby-bench', { isDurable: true, fill })
  await untilFollowed(primary)
  return standby
}

async function clusterOf(connection: Connection): Promise<string> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ path: string }>(`select current_setting('data_directory') as path`)
    return rows[0]?.path ?? ''
  } finally {
    await client.end()
  }
}

async function untilFollowed(primary: Connection): Promise<void> {
  const client = new pg.Client(primary)
  await client.connect()
  try {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const { rowCount } = await client.query(
        `select 1 from pg_stat_replication where state = 'streaming' and replay_lsn >= pg_current_wal_lsn()`,
      )
      if (rowCount) return
      await delay(100)
    }
    throw new Error('The standby does not follow.')
  } finally {
    await client.end()
  }
}
