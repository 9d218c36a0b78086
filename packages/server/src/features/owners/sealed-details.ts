import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { SealedRows } from '../../platform/sealing/reseal.ts'
import type { Sealer } from '../../platform/sealing/sealer.ts'
import type { Registration } from './rules.ts'

const BATCH_SIZE = 100

/** What is personal, and searched by nobody. It is kept for the law's sake and shown to no one. */
export type OwnerDetails = Pick<
  Registration,
  'legalAddress' | 'city' | 'state' | 'postalCode' | 'country' | 'phoneNumber' | 'ein'
>

type PlainDetails = { [Name in keyof OwnerDetails]: string | null }

export function sealDetails(sealer: Sealer, ownerId: string, details: PlainDetails): string {
  const { legalAddress, city, state, postalCode, country, phoneNumber, ein } = details
  const text = JSON.stringify({ legalAddress, city, state, postalCode, country, phoneNumber, ein })
  return sealer.seal(text, ownerId)
}

/**
 * Seals what an older version wrote in plain, and empties its columns. Plain values are the newer ones where both are
 * there: sealing empties them. It may be stopped, repeated and run in several processes.
 */
export async function sealPlainDetails(db: Database, sealer: Sealer, signal?: AbortSignal): Promise<number> {
  let sealed = 0
  for (;;) {
    signal?.throwIfAborted()
    const count = await db.transaction((tx) => sealBatch(tx, sealer))
    sealed += count
    if (count === 0) return sealed
  }
}

async function sealBatch(tx: Queryable, sealer: Sealer): Promise<number> {
  const rows = await tx.rows<PlainDetails & { id: string }>(sql`
    select id, legal_address, city, state, postal_code, country, phone_number, ein
    from owners
    where coalesce(legal_address, city, state, postal_code, country, phone_number, ein) is not null
    order by id limit ${BATCH_SIZE} for no key update skip locked`)
  for (const { id, ...details } of rows) {
    await tx.run(sql`
      update owners set sealed_details = ${sealDetails(sealer, id, details)}, legal_address = null, city = null,
        state = null, postal_code = null, country = null, phone_number = null, ein = null
      where id = ${id}`)
  }
  return rows.length
}

export function sealedOwnerDetails(db: Queryable): SealedRows {
  return {
    listUnderOtherKeys: (keyId, { after, count }) =>
      db.rows(sql`
        select id, id as owner, sealed_details as sealed from owners
        where id > ${after} and sealed_details is not null and not starts_with(sealed_details, ${`${keyId}.`})
        order by id limit ${count}`),

    async replace({ id, sealed: former }, sealed) {
      const changed = await db.run(
        sql`update owners set sealed_details = ${sealed} where id = ${id} and sealed_details = ${former}`,
      )
      return changed === 1
    },
  }
}
