import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { SealedRows } from '../../platform/sealing/reseal.ts'

export function sealedConnectionSecrets(db: Queryable): SealedRows {
  return {
    listUnderOtherKeys: (keyId, { after, count }) =>
      db.rows(sql`
        select agent_id as id, agent_id as owner, sealed_secret as sealed from agent_connections
        where agent_id > ${after} and not starts_with(sealed_secret, ${`${keyId}.`})
        order by agent_id limit ${count}`),

    async replace({ id, sealed: former }, sealed) {
      const changed = await db.run(sql`
        update agent_connections set sealed_secret = ${sealed}
        where agent_id = ${id} and sealed_secret = ${former}`)
      return changed === 1
    },
  }
}

/** The secrets before these, which sign as well for a while. */
export function sealedOldConnectionSecrets(db: Queryable): SealedRows {
  return {
    listUnderOtherKeys: (keyId, { after, count }) =>
      db.rows(sql`
        select agent_id as id, agent_id as owner, sealed_old_secret as sealed from agent_connections
        where agent_id > ${after} and not starts_with(sealed_old_secret, ${`${keyId}.`})
        order by agent_id limit ${count}`),

    async replace({ id, sealed: former }, sealed) {
      const changed = await db.run(sql`
        update agent_connections set sealed_old_secret = ${sealed}
        where agent_id = ${id} and sealed_old_secret = ${former}`)
      return changed === 1
    },
  }
}
