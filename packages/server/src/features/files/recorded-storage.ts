import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { KeptContent, StoragePort } from '../../ports/storage/port.ts'
import { expectContent } from './expected-content.ts'
import { lockContent } from './job-files/store.ts'

interface RecordedStorageDeps {
  db: Database
  clock: Clock
  newId: NewId
  storage: StoragePort
}

/** What is kept for good, by its content alone. */
export interface RecordedStorage extends Pick<StoragePort, 'get' | 'has'> {
  put(bytes: Uint8Array): Promise<KeptContent>
}

/**
 * The storage as features see it: it has what this service stored and nothing else, whatever the node behind it holds
 * besides. A file is recorded after it is kept, so a record always has its bytes.
 */
export function createRecordedStorage(deps: RecordedStorageDeps): RecordedStorage {
  const { db, clock, storage } = deps

  const isRecorded = async (cid: string): Promise<boolean> => {
    const row = await db.maybeOne(sql`select 1 as known from stored_files where cid = ${cid}`)
    return row !== undefined
  }

  return {
    async put(bytes) {
      const expectation = expectContent(deps)
      const stored = await storage.put(bytes, expectation.announce)
      await db.transaction(async (tx) => {
        await lockContent(tx, stored.cid)
        await tx.run(sql`
          insert into stored_files (cid, size_bytes, stored_at)
          values (${stored.cid}, ${stored.sizeBytes}, ${clock.now()}) on conflict do nothing`)
        await expectation.end(tx)
      })
      return stored
    },
    get: async (cid) => ((await isRecorded(cid)) ? storage.get(cid) : undefined),
    has: async (cid) => (await isRecorded(cid)) && storage.has(cid),
  }
}
