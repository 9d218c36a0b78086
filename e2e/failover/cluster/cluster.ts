import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../service/service-process.ts'
import { type Children, killAll } from '../children.ts'
import { postgresPrograms } from '../packages.ts'
import { hex } from '../services/outside.ts'
import { waitFor } from '../wait.ts'
import { type Etcd, startEtcd } from './etcd.ts'
import { createFolders, createMachines, type Machines } from './machines.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { type DatabaseProxy, startProxy } from './proxy.ts'

const DATABASE = 'marketplace'
const PROXY_LIMIT_MS = 30_000

export interface Cluster {
  machines: Machines
  etcd: Etcd
  postgres: Postgres
  proxy: DatabaseProxy
  /** Through HAProxy. */
  databaseUrl: string
  /** Each member by itself, whichever is the primary. */
  memberUrls: readonly string[]
}

interface Deps {
  children: Children
  directory: string
  isSynchronous: boolean
  /** The folder that the primary archives its log in. */
  archive?: string
  /** Takes what must be undone, as soon as it exists. */
  onOpened: (close: () => void) => void
}

/** Three PostgreSQL under Patroni, three etcd, and HAProxy in front of them. */
export async function startCluster(deps: Deps): Promise<Cluster> {
  const { children, directory, isSynchronous, archive, onOpened } = deps
  const machines = await createMachines()
  onOpened(machines.remove)
  const folderOf = createFolders(join(directory, 'machines'))
  const password = hex()
  const etcd = await startEtcd({ children, machines: machines.all, folderOf })
  const started = { children, machines: machines.all, folderOf, password, isSynchronous, archive }
  const postgres = await startPostgres({
    ...started,
    binDirectory: postgresPrograms(),
    // A PostgreSQL outlives its Patroni.
    onStarted: (processesOf) => onOpened(() => killAll(machines.all.flatMap(processesOf))),
  })
  const proxy = startProxy({ children, machines: machines.all, directory, port: await freePort() })
  const urlAt = (address: string, database = DATABASE) =>
    `postgres://postgres:${password}@${address}/${database}`
  const proxyAddress = `127.0.0.1:${proxy.port}`
  await waitFor('the proxy', PROXY_LIMIT_MS, () => createDatabase(urlAt(proxyAddress, 'postgres')))
  return {
    machines,
    etcd,
    postgres,
    proxy,
    databaseUrl: urlAt(proxyAddress),
    memberUrls: machines.all.map(({ host, ports }) => urlAt(`${host}:${ports.postgres}`)),
  }
}

async function createDatabase(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
    return true
  } finally {
    await client.end().catch(() => undefined)
  }
}
