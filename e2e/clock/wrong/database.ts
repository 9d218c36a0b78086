import { join } from 'node:path'
import pg from 'pg'
import { initialiseCluster } from '../../../packages/server/src/platform/db/embedded/postgres-cluster.ts'
import { findPostgresHome } from '../../../packages/server/src/platform/db/embedded/postgres-home.ts'
import { readPostmasterFile } from '../../../packages/server/src/platform/db/embedded/postgres-leftover.ts'
import type { Children } from '../../failover/children.ts'
import { waitFor } from '../../failover/wait.ts'
import { freePort } from '../../service/service-process.ts'
import { isAllPaid } from '../../steady/aftermath.ts'

const READY_LIMIT_MS = 60_000

export interface FakedDatabase {
  url: string
  start(environment: Record<string, string>): Promise<void>
  /** Whether everything that the service has decided to pay is paid and booked. */
  isAllPaid(): Promise<boolean>
  stop(): Promise<void>
}

/** A cluster whose server can be started with a clock of its own. */
export async function createDatabase(children: Children, directory: string): Promise<FakedDatabase> {
  const home = await findPostgresHome(directory)
  await initialiseCluster(home, false)
  const port = await freePort()
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', max_connections: 200 }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { account } = home
  const as = account ? ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : []
  let running: ReturnType<Children['start']> | undefined
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  return {
    url,
    async start(environment) {
      // After the change of account: what libfaketime makes has to be PostgreSQL's own.
      const given = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
      const postgres = [join(home.binaries, 'postgres'), '-D', home.cluster, ...options]
      running = children.start('database', [...as, 'env', 'LC_ALL=C', ...given, ...postgres])
      const { pid } = running.process
      await waitFor('the database', READY_LIMIT_MS, async () => {
        const file = await readPostmasterFile(home.cluster)
        return file?.pid === pid && file?.status === 'ready'
      })
    },
    async isAllPaid() {
      const client = new pg.Client(url)
      await client.connect()
      try {
        return await isAllPaid(client)
      } finally {
        await client.end()
      }
    },
    // A fast stop.
    stop: async () => running?.end('SIGINT'),
  }
}
