import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { SealedRows } from '../../platform/sealing/reseal.ts'

export const sealedSecrets = (db: Queryable): SealedRows => secretsIn(db, sql`sealed_secret`)

/** The secrets before these, which sign as well for a while. */
export const sealedOldSecrets = (db: Queryable): SealedRows => secretsIn(db, sql`sealed_old_secret`)

const secretsIn = (db: Queryable, column: Sql): SealedRows => ({
  listUnderOtherKeys: (keyId, { after, count }) =>
    db.rows(sql`
      select id, id as owner, ${column} as sealed from webhooks
      where id > ${after} and not starts_with(${column}, ${`${keyId}.`}) order by id limit ${count}`),

  async replace({ id, sealed: former }, sealed) {
    const changed = await db.run(
      sql`update webhooks set ${column} = ${sealed} where id = ${id} and ${column} = ${former}`,
    )
    return changed === 1
  },
})

/** The responses that repeated requests get hold the secret too. A response's name is its owner and key: neither holds a space. */
export function sealedSecretsOfResponses(db: Queryable): SealedRows {
  const parts = (id: string): [string, string] => {
    const [ownerId = '', key = ''] = id.split(' ')
    return [ownerId, key]
  }
  return {
    listUnderOtherKeys(keyId, { after, count }) {
      const [ownerId, key] = parts(after)
      return db.rows(sql`
        select k.owner_id || ' ' || k.key as id, w.id as owner, k.answer #>> '{data,secret}' as sealed
        from idempotency_keys k join webhooks w on w.id = k.answer #>> '{data,id}'
        where (k.owner_id, k.key) > (${ownerId}, ${key})
          and not starts_with(k.answer #>> '{data,secret}', ${`${keyId}.`})
        order by k.owner_id, k.key limit ${count}`)
    },

    async replace({ id, sealed: former }, sealed) {
      const [ownerId, key] = parts(id)
      const changed = await db.run(sql`
        update idempotency_keys set answer = jsonb_set(answer, '{data,secret}', to_jsonb(${sealed}::text))
        where owner_id = ${ownerId} and key = ${key} and answer #>> '{data,secret}' = ${former}`)
      return changed === 1
    },
  }
}
