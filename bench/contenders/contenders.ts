import { join } from 'node:path'
import type { Connection } from '../../packages/server/src/platform/db/connection.ts'
import { type Contender, startContender } from '../measuring/measure.ts'
import { benchSecret } from '../measuring/sample.ts'
import { copyTablesForPeer, installPeer } from './prepare-peer.ts'

/** `ours` is the whole product; `raw` node:http with `pg`; `peer` Express with Prisma, as most teams would write it. */
const scripts = { ours: 'ours-server.ts', raw: 'raw-server.ts', peer: join('..', 'peer', 'server.js') }
export type ContenderName = keyof typeof scripts

export async function withContenders<T>(
  connection: Connection,
  names: readonly ContenderName[],
  work: (contenders: Record<ContenderName, Contender>) => Promise<T>,
  { replica }: { replica?: Connection } = {},
): Promise<T> {
  if (names.includes('peer')) {
    installPeer()
    await copyTablesForPeer(connection)
  }
  const started: Partial<Record<ContenderName, Contender>> = {}
  try {
    for (const name of names) {
      started[name] = await startContender(join(import.meta.dirname, scripts[name]), name, {
        BENCH_CONNECTION: JSON.stringify(connection),
        BENCH_DATABASE_URL: urlOf(connection),
        BENCH_REPLICA_URLS: replica ? urlOf(replica) : '',
        BENCH_SECRET: benchSecret,
        NODE_ENV: 'production',
      })
    }
    return await work(started as Record<ContenderName, Contender>)
  } finally {
    await Promise.all(Object.values(started).map((contender) => contender.stop()))
  }
}

/** A host that is a folder is the folder of a unix socket. */
export function urlOf({ host = '', port = 5432, user = '', database = '' }: Connection): string {
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
