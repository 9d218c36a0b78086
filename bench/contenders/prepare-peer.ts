import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Connection } from '../../packages/server/src/platform/db/connection.ts'

const directory = join(import.meta.dirname, '../peer')

/** The peer has dependencies of its own, which the project does without. They are installed when it is first measured. */
export function installPeer(): void {
  if (!existsSync(join(directory, 'node_modules', 'express'))) {
    console.error('Installing the peer of the benchmarks in bench/peer (once)')
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
  }
  if (!existsSync(join(directory, 'generated', 'client.ts'))) {
    // Only migrations need the schema engine, and to fetch it may be impossible.
    run('npx', ['prisma', 'generate'], { PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' })
  }
}

/** Its tables are its own, with the usual indexes: ours would not help it, and its own must not help us. */
export async function copyTablesForPeer(connection: Connection): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(await readFile(join(directory, 'tables.sql'), 'utf8'))
  await client.query('vacuum analyze peer.agents')
  await client.end()
}

function run(program: string, args: string[], environment: Record<string, string> = {}): void {
  const { status } = spawnSync(program, args, {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`The peer could not be prepared: ${program} ${args.join(' ')} failed.`)
}
