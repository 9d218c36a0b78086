import { type Db, PgBoss } from 'pg-boss'
import type { BaseLogger } from 'pino'
import { type Connection, keepAlive } from '../db/connection.ts'
import type { Queryable } from '../db/queryable.ts'
import type { SqlValue } from '../db/sql.ts'

export const schemaName = 'pgboss'
export const deadLetterQueue = 'dead_letters'

/** A worker that dies loses its job within `heartbeatSeconds` plus one round of supervision: at most 25 seconds. */
export const heartbeatSeconds = 15
const superviseSeconds = 10
/** Dead letters wait for a person, who may take long: ten years. */
const deadLetterRetentionSeconds = 10 * 365 * 24 * 60 * 60

/** Its maintenance may take longer than a statement of ours; beyond this the server no longer responds. */
const queryTimeoutMs = 60_000

/** pg-boss keeps a small pool of its own, because it reads numbers in another way than our stores do. */
export async function startBoss(connection: Connection, log: BaseLogger): Promise<PgBoss> {
  // Its types do not name them; it hands all that it is given to the pool.
  const limits = { ...keepAlive, query_timeout: queryTimeoutMs }
  const boss = new PgBoss({
    ...connection,
    ...limits,
    schema: schemaName,
    max: 4,
    connectionTimeoutMillis: 3_000,
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'queue maintenance failed'))
  boss.on('warning', (warning) => log.debug({ warning }, 'queue warning'))
  await boss.start()
  await boss.createQueue(deadLetterQueue, { retentionSeconds: deadLetterRetentionSeconds })
  return boss
}

/** Lets pg-boss write through a connection or transaction of ours. What it reads of the rows (id, ids, count) has one word. */
export function asBossDatabase(queryable: Queryable): Db {
  return {
    async executeSql(text, values = []) {
      const rows = await queryable.rows({ text, values: values as SqlValue[], name: '', pieces: [text] })
      return { rows }
    },
  }
}
