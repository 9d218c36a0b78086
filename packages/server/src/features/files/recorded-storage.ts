import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { StoragePort } from '../../ports/storage/port.ts'
import { lockContent } from './job-files/store.ts'

interface RecordedStorageDeps {
  db: Database
  clock: Clock
  storage: StoragePort
}

/** What is kept for good, by its content alone. */
export type RecordedStorage = Pick<StoragePort, 'put' | 'get' | 'has'>

/**
 * The storage as features see it: it knows what this service stored and nothing else, whatever the node behind it holds
 * besides. A file is recorded after it is kept, so a record always has its bytes.
 */
export function createRecordedStorage({ db, clock, storage }: RecordedStorageDeps): RecordedStorage {
  const isRecorded = async (cid: string): Promise<boolean> => {
    const row = await db.maybeOne(sql`select 1 as known from stored_files where cid = ${cid}`)
    return row !== undefined
  }

  return {
    async put(bytes) {
      const stored = await storage.put(bytes)
      await db.transaction(async (tx) => {
        await lockContent(tx, stored.cid)
        await tx.run(sql`
          insert into stored_files (cid, size_bytes, stored_at)
          values (${stored.cid}, ${stored.sizeBytes}, ${clock.now()}) on conflict do nothing`)
      })
      // A job's file with the same bytes may have been removed between the two.
      if (!(await storage.has(stored.cid))) await storage.put(bytes)
      return stored
    },
    get: async (cid) => ((await isRecorded(cid)) ? storage.get(cid) : undefined),
    has: async (cid) => (await isRecorded(cid)) && storage.has(cid),
  }
}
