import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from '../../packages/server/src/platform/db/connection.ts'
import { findAccount } from '../../packages/server/src/platform/db/embedded/postgres-account.ts'
import { findPostgresHome } from '../../packages/server/src/platform/db/embedded/postgres-home.ts'
import {
  runPostgresTool,
  spawnOptions,
} from '../../packages/server/src/platform/db/embedded/postgres-tool.ts'
import { endOnSignals } from '../../scripts/testing/end-on-signals.ts'

/** Where distributions put their PostgreSQL, one folder for each major version. */
const SYSTEM_FOLDERS = ['/usr/lib/postgresql', '/usr/local/pgsql', '/opt/homebrew/opt']

export interface SystemPostgres {
  connection: Connection
  /** What it is, for the figures. */
  name: string
  close(): Promise<void>
}

/** The newest PostgreSQL of this machine; where there is none, our own programs stand in for it. */
async function findPrograms(directory: string): Promise<{ binaries: string; name: string }> {
  for (const folder of SYSTEM_FOLDERS.filter((path) => existsSync(path))) {
    const versions = readdirSync(folder).toSorted((a, b) => Number.parseFloat(b) - Number.parseFloat(a))
    for (const version of versions) {
      const binaries = join(folder, version, 'bin')
      if (existsSync(join(binaries, 'initdb'))) return { binaries, name: `system PostgreSQL ${version}` }
    }
  }
  const { binaries } = await findPostgresHome(directory)
  return { binaries, name: 'the embedded programs as a plain TCP server, in place of a system PostgreSQL' }
}

/** A throw-away cluster with the defaults of PostgreSQL, reached by TCP, as an operator would run it. */
export async function startSystemPostgres(): Promise<SystemPostgres> {
  const directory = await mkdtemp('/tmp/system-bench-')
  const account = await findAccount(undefined)
  if (account) await chown(directory, account.uid, account.gid)
  const { binaries, name } = await findPrograms(directory)
  const cluster = join(directory, 'cluster')
  await runPostgresTool({
    program: join(binaries, 'initdb'),
    args: [`--pgdata=${cluster}`, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'],
    account,
  })
  const port = await freePort()
  const child = spawn(join(binaries, 'postgres'), ['-D', cluster, '-p', String(port), '-k', directory], {
    ...spawnOptions(account),
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  const close = async () => {
    child.kill('SIGINT')
    await exited
    await rm(directory, { recursive: true, force: true })
  }
  endOnSignals(close)
  const connection = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' }
  await untilReady(connection)
  return { connection, name, close }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

async function untilReady(connection: Connection): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const client = new pg.Client(connection)
    try {
      await client.connect()
      return await client.end()
    } catch {
      await delay(100)
    }
  }
  throw new Error('The system PostgreSQL did not start within 10 s.')
}
