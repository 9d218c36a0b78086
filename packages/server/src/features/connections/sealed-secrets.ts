import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { SealedRows } from '../../platform/sealing/reseal.ts'

const columns = {
  secret: sql`sealed_secret`,
  /** The secret before it, which signs as well for a while. */
  oldSecret: sql`sealed_old_secret`,
  token: sql`sealed_token`,
}

export function sealedOfConnections(db: Queryable, which: keyof typeof columns): SealedRows {
  const column = columns[which]
  return {
    listUnderOtherKeys: (keyId, { after, count }) =>
      db.rows(sql`
        select agent_id as id, agent_id as owner, ${column} as sealed from agent_connections
        where agent_id > ${after} and not starts_with(${column}, ${`${keyId}.`})
        order by agent_id limit ${count}`),

    async replace({ id, sealed: former }, sealed) {
      const changed = await db.run(sql`
        update agent_connections set ${column} = ${sealed}
        where agent_id = ${id} and ${column} = ${former}`)
      return changed === 1
    },
  }
}
