import type { Config } from './config/config.ts'
import { type Closer, isAllEmbedded, type OpenedData } from './data.ts'
import type { Connection } from './platform/db/connection.ts'
import { createDatabase, type Database } from './platform/db/database.ts'
import { migrate, migrationsDirectory } from './platform/db/migrate.ts'
import { type Pulse, startPulse } from './platform/db/pulse.ts'
import { createOwnWrites, noOwnWrites, type OwnWrites } from './platform/db/replicas/own-writes.ts'
import { createReplicas, type Replicas } from './platform/db/replicas/replicas.ts'
import type { Log } from './platform/log/log.ts'
import { finishReset } from './sandbox-reset.ts'

const SEARCH_POOL_SIZE = 4
const SEARCH_TIMEOUT_MS = 2_000
/** The primary is read instead of a replica that takes longer. */
const REPLICA_CONNECT_MS = 500

export async function openDatabases(
  config: Config,
  data: OpenedData,
  log: Log,
  closers: Closer[],
  stopping?: AbortSignal,
) {
  const server = await data.server
  if (isAllEmbedded(config)) await finishReset(data.dataDir.path, server)
  await migrate({ connection: server, directory: migrationsDirectory, log, stopping })
  const pulse = openPulse(server, log, closers)
  const { connection } = pulse
  const open = (options: { poolSize: number; statementTimeoutMs?: number }): Database => {
    const db = createDatabase({ connection, log, ...options })
    closers.push(() => db.close())
    return db
  }
  const db = open({ poolSize: config.databasePoolSize })
  const searchDb = open({ poolSize: SEARCH_POOL_SIZE, statementTimeoutMs: SEARCH_TIMEOUT_MS })
  const replicas = openReplicas(config, db, log, closers)
  return { connection, db, searchDb, replicas, silences: pulse.silences }
}

function openPulse(connection: Connection, log: Log, closers: Closer[]): Pulse {
  const pulse = startPulse({ connection, log })
  closers.push(pulse.close)
  return pulse
}

/** A worker reads nothing that a replica may serve. One that is down does not keep the service from starting. */
function openReplicas(
  { replicas: { urls, maxLagMs }, databasePoolSize, role }: Config,
  primary: Database,
  log: Log,
  closers: Closer[],
): Replicas | undefined {
  if (urls.length === 0 || role === 'worker') return undefined
  const opened = createReplicas({
    primary,
    maxLagMs,
    log,
    replicas: urls.map((url, index) => {
      const name = `${index + 1} ${new URL(url).host}`.trim()
      const { connection } = openPulse({ connectionString: url }, log.child({ replica: name }), closers)
      const db = createDatabase({
        connection,
        poolSize: databasePoolSize,
        log,
        connectTimeoutMs: REPLICA_CONNECT_MS,
        statementTimeoutMs: SEARCH_TIMEOUT_MS,
      })
      return { name, db }
    }),
  })
  closers.push(opened.close)
  opened.start()
  return opened
}

export function openOwnWrites(
  { redisUrl }: Config,
  replicas: Replicas | undefined,
  log: Log,
  closers: Closer[],
): OwnWrites {
  if (!replicas || redisUrl === undefined) return noOwnWrites
  const ownWrites = createOwnWrites({ url: redisUrl, replicas, log })
  closers.push(ownWrites.close)
  return ownWrites
}
